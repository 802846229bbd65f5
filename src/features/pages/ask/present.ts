import type { z } from 'zod';
import { readPersonName } from '../../../lib/names/personName.ts';
import { formatQuantity, formatShortDay, isolateDirection, joinList } from '../../../lib/words.ts';
import { splitAtHits, type TextPart } from '../../digests/markRow.ts';
import { shownLanguage } from '../../digests/present.ts';
import { describeMessages } from '../../digests/quoteSource.ts';
import type { SourceMessage } from '../../digests/schema.ts';
import { type ChatLink, chatLink, dialogName } from '../../messenger/dialogs/rules.ts';
import { closedWords, describeRow } from '../../promises/list/describeRow.ts';
import { passageKind, type Ranked } from './passages.ts';
import type { askJson, WrittenAnswer } from './schema.ts';
import type { Answer } from './service.ts';

type AnswerLine = { parts: TextPart[]; isAnswer: boolean };

const SHOWN_LINES = 3;

/** The page without a question. @param isBegun there are digests, even if they are still being written */
export function presentEmpty({ isBegun }: { isBegun: boolean }) {
  const examples = ['What do I owe this week?', 'Who promised me a quote?', 'What happened yesterday?'];
  return {
    q: '',
    isAsked: false,
    isBegun,
    passages: [],
    mentions: [],
    cited: [],
    answer: undefined,
    nothing: undefined,
    next: isBegun ? examples.map(toTry) : [],
  };
}

/** The page's response to a question. */
export function presentAnswer(answer: Answer, written: WrittenAnswer) {
  const { question, passages, mentions, named } = answer;
  const names = named.map(({ name, isPerson }) => (isPerson ? readPersonName(name).short || name : name));
  const [first] = names;
  const brief = named[0]
    ? [{ words: `Brief on ${isolateDirection(names[0] ?? '')}`, href: `/brief/${named[0].dialogId}` }]
    : [];
  const next = first ? [`What do I still owe ${first}?`, `What does ${first} owe me?`] : [];
  const describe = (passage: Ranked, n: number) => describePassage(passage, { answer, n });
  const { sourceOf, cited } = citedBy(written, answer);
  const shown = presentWritten(written, { sourceOf });
  const isClear = passages.length > 0 || (shown && shown.sentences.length > 0);
  return {
    q: question.typed,
    isAsked: true,
    isBegun: true,
    passages: passages.map(describe),
    mentions: mentions.map(describe),
    cited: cited.map((passage, n) => describe(passage, passages.length + mentions.length + n)),
    answer: shown,
    nothing: isClear ? undefined : describeNothing(answer, names, shown?.state === 'open'),
    next: [...next.filter(one => one !== question.typed).map(toTry), ...brief],
  };
}

/** The passages that a model's sentences rest on and that aren't shown anyway, numbered after those that are. */
function citedBy({ sentences }: WrittenAnswer, { passages, mentions, others }: Answer) {
  const shown = passages.length + mentions.length;
  const numbers = [...new Set(sentences.flatMap(({ passages }) => passages))].filter(n => n > shown);
  return {
    cited: numbers.flatMap(n => others[n - shown - 1] ?? []),
    sourceOf: (n: number) => (n > shown ? shown + 1 + numbers.indexOf(n) : n),
  };
}

export function askAddress(question: string): string {
  return `/ask?${new URLSearchParams({ q: question })}`;
}

const toTry = (words: string) => ({ words, href: askAddress(words) });

const UNCLEAR = { title: 'No clear answer', says: 'Forenoon found no clear answer. The passages below may answer it.' };
const UNASKED = { title: 'No answer', says: 'This server found no answer. The model may find one.' };
const NOTHING = { title: 'No answer', says: 'Nothing in your digests says that.' };

/** Says how much was read, so that an empty answer can be believed. */
function describeNothing({ lookedAt, named, mentions }: Answer, names: string[], mayAskModel: boolean) {
  const read = [
    lookedAt.digests > 0 && formatQuantity(lookedAt.digests, 'digest', 'digests'),
    lookedAt.promises > 0 && formatQuantity(lookedAt.promises, 'promise', 'promises'),
  ].filter(part => part !== false);
  const about = names.length > 0 ? ` that name ${joinList(names.map(isolateDirection))} or what you asked about` : '';
  const [only, more] = named;
  const unanswered = mayAskModel ? UNASKED : NOTHING;
  return {
    ...(mentions.length > 0 ? UNCLEAR : unanswered),
    looked:
      read.length > 0
        ? `Forenoon looked through ${joinList(read)}${about}. It doesn’t guess.`
        : 'No digest or promise has one of your words. Forenoon doesn’t guess.',
    chat:
      only && !more
        ? {
            href: `/conversations/${only.dialogId}`,
            words: `Open the conversation with ${isolateDirection(names[0] ?? '')}`,
          }
        : undefined,
  };
}

function describePassage(passage: Ranked, { answer, n }: { answer: Answer; n: number }) {
  const { digest, promise, wait, day, dialogId, hits } = passage;
  const { today, timezone, now } = answer;
  const lines = passage.lines.map(line => markedLine(line, hits));
  const shown = firstLines(lines);
  const messages = (digest?.sources.messages ?? promise?.sources ?? []).filter(({ id }) => passage.messageIds.includes(id));
  const name = dialogName(digest?.dialog ?? promise ?? wait ?? NOBODY);
  const row = promise && describeRow(promise, { today, timezone, now, view: 'yours' });
  const kindOfPromise = promise && [KINDS[promise.kind], closedWords(promise).toLowerCase()].filter(Boolean).join(', ');
  return {
    id: `c${n + 1}`,
    number: n + 1,
    name,
    href: `/conversations/${dialogId}`,
    day: formatShortDay(day, today),
    kind: kindOfPromise ?? (wait ? 'Waiting for you' : 'Digest'),
    link: `All of ${isolateDirection(name)}`,
    due: row && row.state === '' ? { due: row.due, time: row.time, tone: row.tone } : undefined,
    language: digest ? shownLanguage(digest) : undefined,
    lines: shown,
    rest: lines.slice(shown.length),
    source: answerSource(passage, messages, { today, timezone }),
  };
}

const KINDS = { promise: 'Promise', appointment: 'Appointment', deadline: 'Deadline' };
const NOBODY = { peerName: '', peerUsername: '', peerPhone: '' };
/** Marks whole words only: the search would take the last of its words as a beginning. */
const NO_BEGINNING = '\u{10ffff}';

function markedLine(line: string, hits: readonly string[]): AnswerLine {
  const isAnswer = line.startsWith('↳ ');
  return { isAnswer, parts: splitAtHits(isAnswer ? line.slice(2) : line, [...hits, NO_BEGINNING]) };
}

/** The first lines, at least until after the first match; the rest follows when opened. */
function firstLines(lines: AnswerLine[]): AnswerLine[] {
  const at = lines.findIndex(({ parts }) => parts.some(({ isHit }) => isHit));
  return lines.slice(0, Math.max(SHOWN_LINES, at + 2));
}

function answerSource(
  { digest, promise: row, wait, messageIds }: Ranked,
  messages: SourceMessage[],
  now: { today: string; timezone: string },
): { lines: { name: string; when: string }[]; more: string; links: ChatLink[] } {
  const promise = row ?? wait;
  const peer = promise
    ? { ...promise, peer: { kind: promise.peerKind, id: promise.peerKey } }
    : { ...NOBODY, ...digest?.dialog, peer: digest?.dialog.peer ?? { kind: 'user' as const, id: '' } };
  if (messages.length > 0) return describeMessages(messages, peer, now);
  const chat = messageIds.length > 0 ? chatLink({ ...peer, topMessageId: 0 }) : undefined;
  return { lines: [], more: '', links: chat ? [{ href: chat, label: 'Open chat in Telegram' }] : [] };
}

export function answerJson(answer: Answer, written: WrittenAnswer): z.output<typeof askJson> {
  const { sourceOf, cited } = citedBy(written, answer);
  return {
    question: answer.question.typed,
    passages: answer.passages.map(passageJson),
    mentions: answer.mentions.map(passageJson),
    sentences: written.sentences.map(({ text, passages }) => ({ text, sources: passages.map(sourceOf) })),
    cited: cited.map(passageJson),
    lookedAt: answer.lookedAt,
  };
}

function passageJson(passage: Ranked) {
  const { lines, day, dialogId, messageIds, digest, promise, wait } = passage;
  const { peerName, peerUsername } = digest?.dialog ?? promise ?? wait ?? NOBODY;
  return {
    kind: passageKind(passage),
    words: lines.join('\n'),
    day,
    dialogId,
    sourceMessageIds: messageIds,
    dialog: { peerName, peerUsername },
    digestId: digest?.id ?? promise?.lastDigestId ?? null,
    promiseId: promise?.id ?? null,
  };
}

const FAILED = {
  unanswered: 'The model did not answer. What this server found is below.',
  tooMany: 'The model has answered as often as it may in a day. What this server found is below.',
};

/**
 * A model's sentences as a page shows them; undefined if there is no model or no passage.
 * @param sourceOf the number on the page of a passage that the model was given; those without are left out
 */
export function presentWritten(
  { state, sentences, withheld, model, host, failure }: WrittenAnswer,
  { sourceOf = n => n }: { sourceOf?: (n: number) => number | null } = {},
) {
  if (state === 'off') return undefined;
  const sourced = sentences.map(({ text, passages }) => ({
    text,
    sources: [...new Set(passages.flatMap(n => sourceOf(n) ?? []))],
  }));
  return {
    state,
    sentences: sourced.filter(({ sources }) => sources.length > 0),
    writer: `Model ${model}, at ${host}`,
    failure: failure ? FAILED[failure] : '',
    withheld:
      state !== 'notAgreed' && withheld > 0
        ? `${formatQuantity(withheld, 'passage stays', 'passages stay')} on this server: you haven’t agreed to send what ${withheld === 1 ? 'it quotes' : 'they quote'}.`
        : '',
  };
}
