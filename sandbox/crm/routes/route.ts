import type { CrmState, Portal } from '../state.ts';

/** An authenticated call, parsed as JSON but not validated. */
export type Call = {
  state: CrmState;
  portal: Portal;
  /** The rules of the account's administrator apply to this version of the API. */
  isValidated: boolean;
  /** It is made in the name of a person, whose permissions apply. */
  isPersonal: boolean;
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
  /** The kind it is counted as, which faults are planned for. */
  kind: string;
  /** The call needs one of these; an empty list admits every valid token. */
  scopes: readonly string[];
  handle(call: Call): Answer;
};

export const READS_CONTACTS = ['crm.objects.contacts.read'];
export const WRITES_CONTACTS = ['crm.objects.contacts.write'];
