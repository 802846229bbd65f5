import { randomBytes } from 'node:crypto';
import type { ChatCompletionMessageParam } from 'openai/resources';
import type { SummaryStyle } from '../types.ts';
import { withoutMarks } from './plainText.ts';
import type { PromptBackground } from './promptBackground.ts';
import type { Reply } from './reply.ts';
import { systemPrompt } from './systemPrompt.ts';
import { type Line, toJsonLine } from './transcript.ts';

export type Prompt = ChatCompletionMessageParam[];

const STYLES: Record<SummaryStyle, string> = {
  BUSINESS:
    'Style: business. Three to five sentences on a full day, fewer on a short one; the outcome first, no small talk.',
  DETAILED:
    'Style: detailed. Six to twelve sentences on a full day, fewer on a short one; the course of the day with numbers, names and reasons.',
  MINIMAL: 'Style: minimal. One sentence of at most 30 words: the one thing that matters most.',
};

/** The length by number of messages: each entry has the most messages it is for. */
const LENGTHS: Record<Exclude<SummaryStyle, 'MINIMAL'>, [number, string][]> = {
  BUSINESS: [
    [3, 'one or two sentences'],
    [10, 'two or three sentences'],
    [30, 'three or four sentences'],
    [Number.POSITIVE_INFINITY, 'four or five sentences'],
  ],
  DETAILED: [
    [3, 'one or two sentences'],
    [10, 'three to six sentences'],
    [Number.POSITIVE_INFINITY, 'six to twelve sentences'],
  ],
};

/** @param part counted from 1, when the day is read in parts */
export function promptForPart(lines: Line[], about: PromptBackground, part?: { number: number; of: number }): Prompt {
  const note = part && `This is part ${part.number} of ${part.of} of the messages. Write the digest of this part.`;
  return prompt(about, [...notes(about, lines.length), note], lines.map(toJsonLine));
}

/** Asks for one digest of the digests of a day's parts, which are no more trustworthy than what they were made from. */
export function promptForMerging(parts: Reply[], about: PromptBackground): Prompt {
  const note =
    'The messages were read in parts. Each further line of the data is the digest of one part, in order. Write one digest of ' +
    'the whole: name the same thing once, leave out what a later part shows as done, keep the numbers in "lines".';
  return prompt(about, [...notes(about, about.messageCount), note], parts.map(partLine));
}

/** A part's digest as it goes into the prompt. @param index counted from 0 */
export function partLine(reply: Reply, index: number): string {
  return withoutMarks(JSON.stringify({ part: index + 1, ...reply }));
}

/** Why a first answer was of no use. */
export type Flaw = 'cutOff' | 'noDigest' | 'noCode';

const FLAWS: Record<Flaw, string> = {
  cutOff: 'was too long and got cut off. Be briefer',
  noDigest: 'was not the JSON object asked for',
  noCode: 'did not repeat the code of this request. Copy it exactly',
};

/** What is added to a prompt whose first answer was of no use. That answer is not repeated: it may hold anything. */
export function repairOf(flaw: Flaw): string {
  return `\nAn earlier answer to this ${FLAWS[flaw]}. Answer with the complete JSON object only: it begins with { and ends with }.`;
}

/** In the same message: a server short of room keeps the last message and drops those before it. */
export function withAdded(asked: Prompt, added: string): Prompt {
  return asked.map((message, index) =>
    index === asked.length - 1 && message.role === 'user'
      ? { ...message, content: `${message.content}${added}` }
      : message,
  );
}

function prompt(about: PromptBackground, notes: (string | undefined)[], data: string[]): Prompt {
  const key = randomBytes(16).toString('hex');
  const content = [
    ...notes.filter(note => note !== undefined),
    `BEGIN ${key}`,
    ...opening(about),
    ...data,
    `END ${key}`,
    'The data has ended. Answer with the JSON object.',
  ].join('\n');
  return [
    { role: 'system', content: systemPrompt(about.code) },
    { role: 'user', content },
  ];
}

/** Nothing a person wrote is in these. */
function notes({ style, timezone, today, days, told }: PromptBackground, messages: number): (string | undefined)[] {
  const length = style === 'MINIMAL' ? undefined : LENGTHS[style].find(([most]) => messages <= most)?.[1];
  const [first, last] = [days.at(0), days.at(-1)];
  const range =
    first === last
      ? `The messages are of one day: ${first}.`
      : `The messages are of ${days.length} days, from ${first} to ${last}: say in the summary since when, as in "since 7 Nov", and keep the days in order after the outcome.`;
  return [
    STYLES[style],
    length && `Length: ${messages} messages, so ${length}.`,
    `Time zone: ${timezone}. Today: ${today}.`,
    first && range,
    told === null
      ? undefined
      : `The last digest of this chat was${told.day ? ` of ${told.day}` : ' earlier'}. It told of the messages with "told".`,
  ];
}

function opening({ names, isGroup, leftOpen, promises }: PromptBackground): string[] {
  const chat = { chat: { with: names.peer, isGroup, user: names.user } };
  const open = [...leftOpen.map(item => ({ leftOpen: item })), ...promises.map(promise => ({ promise }))];
  return [chat, ...open].map(line => JSON.stringify(line));
}
