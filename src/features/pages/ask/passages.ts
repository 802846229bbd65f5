import { findWhen, type When } from '../../../clients/summarizer/days/findWhen.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { localDay } from '../../../lib/timezones.ts';
import { quoteText } from '../../../lib/words.ts';
import { describeExchanges, lineText, localizeExchanges } from '../../digests/describeExchanges.ts';
import { describeWords } from '../../digests/quoteSource.ts';
import type { Digest } from '../../digests/schema.ts';
import type { PassageWithConsent } from '../../messenger/consent/service.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { isLivePromise, isPerhapsSettled, quotedWords } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import type { Wait } from '../../promises/waiting/schema.ts';

export type PassageMessage = { ids: string[]; who: string; fromUser: boolean; words: string; file: string; at: Date };

/** Stored content that may answer a question: an exchange, a digest line, a promise, or a waiting question. */
export type Passage = {
  /** The text, a line for each person. */
  lines: string[];
  /** YYYY-MM-DD, when it was said. */
  day: string;
  dialogId: string;
  messageIds: string[];
  /** Messages, oldest first; none for a promise. */
  said: PassageMessage[];
  /** When this server took its oldest words from messages; 1970, before any consent, if unknown. Null if a model worded it. */
  quotedAt: Date | null;
  digest?: Digest | undefined;
  promise?: SourcedPromise | undefined;
  wait?: Wait;
};

export type Ranked = Passage & {
  score: number;
  /** The words of the passage that were asked about, folded. */
  hits: string[];
};

const MAX_PASSAGE_LENGTH = 1200;

export function splitPassages(digest: Digest, timezone: string): Passage[] {
  const { dialogId, digestDate, sources, structured } = digest;
  const sent = new Map(sources.messages.map(message => [message.id, message]));
  const sentAtOf = (id: string | undefined, day = digestDate) => new Date(sent.get(id ?? '')?.sentAt ?? `${day}T12:00Z`);
  const passage = (lines: string[], messageIds: string[], said: PassageMessage[]): Passage => ({
    lines: lines.map(line => line.slice(0, MAX_PASSAGE_LENGTH)),
    day:
      sent.has(messageIds[0] ?? '') || !said[0] ? localDay(sentAtOf(messageIds[0]), timezone) : localDay(said[0].at, 'UTC'),
    dialogId,
    messageIds,
    said,
    quotedAt: readQuotedAt(digest),
    digest,
  });
  const single = (line: string, messageIds: string[], { who = '', words = line } = {}) => {
    const { fromUser = false } = sent.get(messageIds.at(-1) ?? '') ?? {};
    const at = sentAtOf(messageIds.at(-1));
    const author = who && fromUser ? 'You' : who;
    const [mark = '', file = ''] = FILE.exec(words) ?? [];
    return passage([line], messageIds, [
      { ids: messageIds, who: author, fromUser, words: words.slice(mark.length), file, at },
    ]);
  };
  const exchanges = localizeExchanges(digest, timezone);
  if (!exchanges) return splitProse(digest).map(({ text, messageIds }) => single(text, messageIds));
  const shown = describeExchanges(exchanges, { today: digestDate });
  const exchangePassages = exchanges.map(({ opener, answers }, n) => {
    const quotes = shown[n]?.lines ?? [];
    const said = [opener, ...answers].map(({ fromUser, spans, messageId, day, who }, at) => ({
      ids: [messageId, ...spans.map(span => span.messageId)],
      who: quotes[at]?.who ?? who,
      fromUser,
      words: spans.map(({ text }) => text).join(' '),
      file: spans.find(({ attachment }) => attachment?.kind === 'document')?.attachment?.name ?? '',
      at: sentAtOf(messageId, day),
    }));
    return passage(quotes.map(lineText), [...new Set(said.flatMap(({ ids }) => ids))], said);
  });
  const shownIds = new Set(exchangePassages.flatMap(({ messageIds }) => messageIds));
  const kept = (structured.keptLines ?? []).filter(({ messageId }) => !shownIds.has(messageId));
  return [
    ...exchangePassages,
    ...kept.map(({ who, text, messageId }) => single(`${who}: ${text}`, [messageId], { who, words: text })),
  ];
}

/** A line that was kept begins with the file that it came with. */
const FILE = /^📎 (\S+\.\w+) ?/u;

/** A message of a conversation, and the passage that contains it. */
export type Turn = { said: PassageMessage; passage: Passage };

/** The messages of each conversation, oldest first. */
export function groupTurns(passages: readonly Passage[]): Map<string, Turn[]> {
  const turns = passages.flatMap(passage =>
    passage.said.flatMap(said => (said.ids[0] ? [[`${passage.dialogId} ${said.ids[0]}`, { said, passage }] as const] : [])),
  );
  const inOrder = [...new Map(turns).values()].toSorted((a, b) => firstMessageNumber(a.said) - firstMessageNumber(b.said));
  return Map.groupBy(inOrder, ({ passage }) => passage.dialogId);
}

const firstMessageNumber = ({ ids }: PassageMessage) => Number(ids[0]);

/** What was said after a passage: on later days, where it is not known on which messages it rests. */
export function turnsAfter({ messageIds, day }: Passage, turns: readonly Turn[] = []): Turn[] {
  if (messageIds.length === 0) return turns.filter(({ passage }) => passage.day > day);
  const last = Math.max(...messageIds.map(Number));
  return turns.filter(({ said }) => firstMessageNumber(said) > last);
}

const MAX_FOLLOWING_TURNS = 3;
const HOUR_MS = 3_600_000;
/** A question may be answered later, but not a day later. */
const REPLY_MS = 12 * HOUR_MS;
/** The semicolon is a question mark in Greek, but part of a wink anywhere. */
export const ENDS_WITH_QUESTION = /(?:[?？؟\u037e]|(?<=\p{Script=Greek}.{0,60});(?![-)\]D]))[^\p{L}?？؟]{0,20}$/u;

/** Adds the messages that follow soon, as they may answer or retract, if the same consent covers them. */
export function addFollowingTurns<P extends Passage>(passage: P, turns: readonly Turn[] | undefined): P {
  const after = passage.wait ? [] : turnsAfter(passage, turns).slice(0, MAX_FOLLOWING_TURNS);
  let before = turns?.findLast(({ said }) => passage.messageIds.includes(said.ids[0] ?? ''))?.said;
  const next: PassageMessage[] = [];
  for (const { said, passage: source } of after) {
    const isSoon =
      before && said.at.getTime() - before.at.getTime() <= (ENDS_WITH_QUESTION.test(before.words) ? REPLY_MS : HOUR_MS);
    if (!isSoon || source.quotedAt?.getTime() !== passage.quotedAt?.getTime()) break;
    before = said;
    next.push(said);
  }
  return {
    ...passage,
    lines: [...passage.lines, ...next.map(nextLine)],
    messageIds: [...passage.messageIds, ...next.flatMap(({ ids }) => ids)],
    said: [...passage.said, ...next],
  };
}

/** Words that follow others: `↳ Farid: yes`. A model's sentences have no author. */
const nextLine = ({ who, words, file = '' }: { who: string; words: string; file?: string }) =>
  `↳ ${who && `${who}: `}${file} ${words}`.replace(/ +/g, ' ');

/** The sentences of a summary in prose, with the messages they rest on where these are kept. */
function splitProse({ summary, sources }: Digest): { text: string; messageIds: string[] }[] {
  if (sources.sentences.length === 0) {
    return (summary.match(/[^.!?。！？\n]+[.!?。！？]*/g) ?? [])
      .map(text => ({ text: text.trim(), messageIds: [] }))
      .filter(({ text }) => text);
  }
  return sources.sentences.map(({ from, to, messageIds }) => ({ text: summary.slice(from, to), messageIds }));
}

/** The passage of a question that waits for the user's answer. */
export function passageOfWait(wait: Wait, timezone: string): Passage {
  const { words, askedAt, dialogId, messageId } = wait;
  return {
    lines: [words],
    day: localDay(askedAt, timezone),
    dialogId,
    messageIds: [String(messageId)],
    said: [],
    quotedAt: new Date(0),
    wait,
  };
}

/** The passage of a promise, with the words that it answers, and those that changed it. */
export function passageOfPromise(promise: SourcedPromise, timezone: string): Passage {
  const { dialogId, evidence, firstSaidOn, quotedAt, request, sourceMessageIds, sources } = promise;
  const { words, quotes } = describeWords(promise);
  const lines = quotes.length > 0 ? quotes.map(quoteText) : [words];
  const change = evidence && quotedWords(evidence) ? evidence : undefined;
  const saidAt = change?.when ?? sources[0]?.sentAt;
  const changedAt = change && new Date(change.when);
  return {
    lines: change ? [...lines, nextLine(change)] : lines,
    day: saidAt ? localDay(new Date(saidAt), timezone) : firstSaidOn,
    dialogId,
    messageIds: [...new Set([request?.messageId ?? [], sourceMessageIds, change?.messageIds ?? []].flat())],
    said: [],
    quotedAt: changedAt && (!quotedAt || changedAt < quotedAt) ? changedAt : quotedAt,
    promise,
  };
}

/** Passages as a model may be given them, numbered as the page numbers them. */
export function toModelPassages(passages: readonly Passage[]): PassageWithConsent[] {
  return passages.map(({ lines, day, dialogId, quotedAt, digest, promise, wait }, index) => ({
    n: index + 1,
    lines,
    day,
    dialogId,
    peer: wait ? shortNameOf(wait) : peerName({ digest, promise }),
    quotedAt,
    ...(promise && { promise: toOwnPromise(promise) }),
  }));
}

/** When the digest's words were quoted; 1970, before any consent, if that is unknown. Null if a model worded it. */
export function readQuotedAt(digest: { quotedAt?: Date | null | undefined } | undefined): Date | null {
  return digest?.quotedAt === undefined ? new Date(0) : digest.quotedAt;
}

/** The promise's side, state and due date, as a model may get them. */
export function toOwnPromise(promise: SourcedPromise): NonNullable<PassageWithConsent['promise']> {
  const { direction, who, dueDate, dueTime } = promise;
  const debtor =
    direction === 'mine' ? 'you' : who || (direction === 'theirs' ? shortNameOf(promise) : 'no one in particular');
  return { by: debtor, state: stateWords(promise), dueDate, dueTime: dueTime ?? null };
}

function stateWords(promise: SourcedPromise) {
  if (promise.state === 'done') return 'kept';
  if (!isLivePromise(promise)) return 'not kept';
  return isPerhapsSettled(promise) ? 'perhaps settled' : 'open';
}

export function passageKind({ promise, wait }: Passage): 'promise' | 'waiting' | 'digest' {
  if (promise) return 'promise';
  return wait ? 'waiting' : 'digest';
}

export function peerName({ digest, promise }: Pick<Passage, 'digest' | 'promise'>): string {
  if (promise) return shortNameOf(promise);
  if (!digest) return '';
  return digest.dialog.peerType === 'user' ? shortPersonName(dialogName(digest.dialog)) : dialogName(digest.dialog);
}

export function shortNameOf(promise: SourcedPromise | Wait): string {
  const name = dialogName(promise);
  return promise.peerKind === 'user' ? shortPersonName(name) : name;
}

/** A person's first name, as digests name people; the whole name if it has none. */
export const shortPersonName = (name: string) => readPersonName(name).short || name;

/** ISO 639-1, or 'und': of a promise, as its conversation may have several. */
export const languageOf = ({ digest }: Passage): string =>
  digest?.structured.writtenIn ?? digest?.structured.language ?? 'und';

export const NUMBER = /\p{Nd}/u;
const SENTENCE_END = /(?<=[.!?؟。]) /;
const whenByMessage = new WeakMap<PassageMessage, When | null>();

/** The day that a message fixes, read in its passage's language; a sentence with an hour takes precedence. */
export function readWhen(message: PassageMessage, passage: Passage, { timezone }: { timezone: string }): When | null {
  const before = whenByMessage.get(message);
  if (before !== undefined) return before;
  const language = languageOf(passage);
  const findWhenIn = (text: string) => findWhen(text, language, message.at, timezone);
  // "Tomorrow is bad. Thursday at 12?"
  const parts = message.words.split(SENTENCE_END).filter(part => part !== message.words && NUMBER.test(part));
  const first = parts.map(findWhenIn).find(candidate => candidate?.time) ?? findWhenIn(message.words);
  // "On 28 Nov he said that the water is off on 3 Dec."
  const isSaidThen = first && first.date <= localDay(message.at, timezone);
  const later = isSaidThen && findWhenIn(message.words.slice(message.words.indexOf(first.words) + first.words.length));
  const when = later && later.date > first.date ? later : first;
  whenByMessage.set(message, when);
  return when;
}
