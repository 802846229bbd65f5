import { z } from 'zod';
import type { OpenPromise, SummaryRequest } from '../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../test/support/mediaInText.ts';

const daySchema = z.object({
  day: z.string(),
  messages: z.array(z.object({ at: z.string(), from: z.string(), text: z.string() })),
});
const STATES = ['done', 'cancelled', 'moved', 'open'] as const;
const pairSchema = z.object({
  n: z.number(),
  language: z.string(),
  group: z.boolean(),
  user: z.string(),
  peer: z.string(),
  dayOne: daySchema.extend({
    actionItems: z.array(
      z.object({
        text: z.string(),
        owner: z.enum(['user', 'contact', 'unknown']),
        ownerName: z.string().nullable(),
        dueDate: z.string().nullable(),
        messages: z.array(z.number()),
      }),
    ),
  }),
  dayTwo: daySchema,
  states: z.array(
    z.object({ item: z.number(), state: z.enum(STATES), newDueDate: z.string().nullable().default(null) }),
  ),
});

type Pair = z.infer<typeof pairSchema>;

export type LabelledPair = {
  title: string;
  language: string;
  /** The messages of the first day. */
  dayOne: SummaryRequest;
  /** The messages of the second day. */
  request: SummaryRequest;
  promises: OpenPromise[];
  /** By promise, in the same order. `messageIds`: of the first day, those that it rests on. */
  labels: { state: (typeof STATES)[number]; newDueDate: string | null; messageIds: string[] }[];
};

const FIRST_ID = 1;
const DIRECTIONS = { user: 'mine', contact: 'theirs', unknown: 'unassigned' } as const;

/** Pairs of days in the layout of `labelled-chats.json`. */
export function readPairs(json: string): LabelledPair[] {
  return z
    .object({ pairs: z.array(pairSchema) })
    .parse(JSON.parse(json))
    .pairs.map(labelledPair);
}

/** What a pair is to be read from, and what is right. */
export function labelledPair(pair: Pair): LabelledPair {
  const { n, language, user, peer, dayOne, dayTwo, states } = pair;
  return {
    title: `${n} ${language} ${dayTwo.day} ${user} with ${peer}`,
    language,
    dayOne: requestOf(pair, dayOne, 0),
    request: requestOf(pair, dayTwo, dayOne.messages.length),
    promises: dayOne.actionItems.map(({ text, owner, ownerName, dueDate, messages }, at) => ({
      n: at + 1,
      direction: DIRECTIONS[owner],
      who: ownerName,
      text,
      dueDate,
      saidAt: dayOne.day,
      sourceTexts: messages.flatMap(index => dayOne.messages[index]?.text ?? []),
      authors: messages.flatMap(index => {
        const name = dayOne.messages[index]?.from;
        return name === undefined ? [] : [{ name, fromUser: name === user }];
      }),
      people: dayOne.messages.map(({ from }) => ({ name: from, fromUser: from === user })),
    })),
    labels: dayOne.actionItems.map(({ messages }, at) => {
      const { state = 'open', newDueDate = null } = states.find(({ item }) => item === at) ?? {};
      return { state, newDueDate, messageIds: messages.map(index => String(index + FIRST_ID)) };
    }),
  };
}

/** A day's messages; their ids count on from those `before` it. */
function requestOf(
  { group, user, peer }: Pair,
  { day, messages }: z.output<typeof daySchema>,
  before: number,
): SummaryRequest {
  return {
    peerName: peer,
    userName: user,
    isGroup: group,
    style: 'BUSINESS',
    timezone: 'UTC',
    today: day,
    messages: messages.map(({ at, from, text }, index) => ({
      id: FIRST_ID + before + index,
      sentAt: new Date(`${day}T${at}:00Z`),
      fromUser: from === user,
      senderName: from,
      ...mediaInText(text),
      forwarded: false,
    })),
  };
}
