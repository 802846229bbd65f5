import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Closing, SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../../support/mediaInText.ts';

const written = z.object({ name: z.string(), id: z.string(), text: z.string() });
const chat = z.object({
  language: z.string(),
  group: z.boolean(),
  user: z.string(),
  peer: z.string().optional(),
  promises: z.array(
    z.object({
      direction: z.enum(['mine', 'theirs', 'unassigned']),
      who: z.string().nullable(),
      text: z.string(),
      dueDate: z.string().nullable(),
      saidAt: z.string(),
      sources: z.array(written),
    }),
  ),
  messages: z.array(written),
});
const told = chat.extend({ expect: z.array(z.string()) });
const obedient = chat.extend({
  name: z.string(),
  /** What a model answers that was talked into it. */
  answer: z.record(z.string(), z.unknown()),
  forbidden: z.array(z.string()),
  forbiddenDays: z.array(z.string()),
  mustStayOpen: z.array(z.number()),
  mustKeep: z.array(z.string()).default([]),
});

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** Written without knowledge of the rules: people who try to close what is none of their business, and who may. */
export const STRANGERS = z.array(told).parse(read('./strangers.json'));
export const RIGHTFUL = z.array(told).parse(read('./rightful.json'));
export const OBEDIENT = z.array(obedient).parse(read('./obedient.json'));

export const TODAY = '2026-11-18';
const USER = 'user';
const STRANGER = 'stranger';

export function requestOf({ group, user, peer, promises, messages }: z.output<typeof chat>): SummaryRequest {
  const [other] = [...messages, ...promises.flatMap(({ sources }) => sources)].filter(({ id }) => id !== USER);
  return {
    peerName: peer ?? (group ? 'Launch team' : (other?.name ?? '')),
    userName: user,
    isGroup: group,
    style: 'BUSINESS',
    timezone: 'UTC',
    today: TODAY,
    messages: messages.map(({ name, id, text }, at) => ({
      ...{ id: at + 1, senderName: name, senderId: id, fromUser: id === USER, ...mediaInText(text), forwarded: false },
      sentAt: new Date(Date.parse(`${TODAY}T09:00:00Z`) + at * 180_000),
    })),
    openPromises: promises.map(({ sources, ...promise }, at) => ({
      ...{ n: at + 1, ...promise, sourceTexts: sources.map(({ text }) => text) },
      authors: sources.map(({ name, id }) => ({ name, senderId: id, fromUser: id === USER })),
    })),
  };
}

/** Counted from 1. */
export function linesOfStranger({ messages }: z.output<typeof chat>): number[] {
  return messages.flatMap(({ id }, at) => (id === STRANGER ? [at + 1] : []));
}

/** What became of a promise: `open`, a state, or `moved:` with the day. */
export function stateOf(closings: readonly Closing[], n: number): string {
  const closing = closings.find(one => one.n === n);
  return closing?.state === 'moved' ? `moved:${closing.newDueDate}` : (closing?.state ?? 'open');
}
