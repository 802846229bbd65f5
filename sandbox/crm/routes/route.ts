import type { CrmState, Portal } from '../state.ts';

/** A call that was let through, parsed as JSON but not believed. */
export type Call = {
  state: CrmState;
  portal: Portal;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** How long the body was. */
  characters: number;
};

export type Answer = { status: number; body?: unknown };

export type Route = {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** After the path of the object type, with express's parameters. */
  path: string;
  /** What it is counted as, and what faults are planned for. */
  kind: string;
  /** One of these is needed; none for everybody signed in. */
  scopes: readonly string[];
  handle(call: Call): Answer;
};

export const READS_CONTACTS = ['crm.objects.contacts.read'];
export const WRITES_CONTACTS = ['crm.objects.contacts.write'];
