import { oncePer } from '../../../lib/once.ts';
import type { Media, MessengerMessage } from '../../messenger/types.ts';
import { cleanText, toPlainLine } from '../cleaning.ts';
import { hasMask } from '../masking/mask.ts';
import { mediaName } from '../media.ts';
import type { Head } from '../reader/features.ts';
import { type Model, scoreText } from '../reader/model.ts';
import type { AuthoredMessage } from '../readMessages.ts';
import { splitSentences } from '../sentences.ts';
import type { ExchangeLine, Span } from '../types.ts';
import type { ReadDay, ScoredRequest } from './readRequest.ts';

/** Maximum length of an attachment's name in characters. */
const MAX_NAME_LENGTH = 60;
/** Characters of each message that are searched for secrets together. */
const SEARCHED_CHARACTERS = 1000;
/** Messages before and after that are searched with one. */
const NEIGHBORS = 2;
/** Characters: shorter messages are quoted in full, longer ones cut to about this length. */
const MAX_WHOLE_LENGTH = 240;
const CUT_LENGTH = 180;
const MAX_LINE_LENGTH = 320;
/** Limit of sentences per message to choose from. */
const MAX_PIECES = 30;

/** A name that can't look like the beginning of someone's words. */
const toShownName = (name: string): string => toPlainLine(name.replaceAll(/[:：﹕꞉∶|/]/g, ' ')) || '?';

/** All words of a message as they may be shown, on one line: the text that spans are cut from. */
export const toShownText = (text: string): string => toPlainLine(cleanText(text));

/** The attachment of a message; null without one, and for stickers, which say nothing. */
function shownAttachment({ media }: Pick<MessengerMessage, 'media'>): Media | null {
  if (!media || media.kind === 'sticker') return null;
  const name = toPlainLine(mediaName(media));
  const short = `${name.slice(0, MAX_NAME_LENGTH - 12)}…${name.slice(-11)}`.replaceAll(/\p{Surrogate}/gu, '');
  return { kind: media.kind, name: name.length > MAX_NAME_LENGTH ? short : name };
}

const NO_WORDS = { text: '', isStart: true, isEnd: true };

/** The line of a day's message; null where nothing of it may be shown. `head`: which of its sentences is meant. */
export function quoteMessage(read: ScoredRequest, { day, said }: ReadDay, at: number, head: Head): ExchangeLine | null {
  const one = said[at]!;
  const { message, id, who } = one;
  if (hidesSecret(said, at)) return null;
  const attachment = shownAttachment(message);
  const words = cutText(toShownText(message.text), read, head);
  if (!words && !attachment) return null;
  return {
    who: toShownName(who),
    fromUser: message.fromUser,
    isForwarded: message.forwarded,
    messageId: id,
    spans: [{ messageId: id, ...(words ?? NO_WORDS), attachment }],
    day,
    time: timeFormatOf(read.timezone).format(message.sentAt),
    isDone: false,
  };
}

const searchedText = (one: AuthoredMessage | undefined) => one?.message.text.slice(0, SEARCHED_CHARACTERS) ?? '';

/** Whether a message contains a secret that only its neighbors give away: "the password?" – "hunter2". */
function hidesSecret(said: AuthoredMessage[], at: number): boolean {
  if (!holdsSecret(said, Math.floor(at / SEARCHED_AT_ONCE))) return false;
  const together = cleanedTogether(said, at, at);
  return hasMask(together) && !together.includes(cleanText(searchedText(said[at])));
}

/** The words of some messages and of those beside them. */
function cleanedTogether(said: AuthoredMessage[], from: number, to: number): string {
  const near = said.slice(Math.max(0, from - NEIGHBORS), to + NEIGHBORS + 1).map(searchedText);
  return cleanText(near.filter(Boolean).join('\n'));
}

const SEARCHED_AT_ONCE = 20;
const searched = new WeakMap<AuthoredMessage[], boolean[]>();

/** Whether that part of a day, or a message beside it, has a secret. Cached: most days have none and need no closer look. */
function holdsSecret(said: AuthoredMessage[], part: number): boolean {
  const parts = searched.get(said) ?? [];
  searched.set(said, parts);
  const from = part * SEARCHED_AT_ONCE;
  parts[part] ??= hasMask(cleanedTogether(said, from, from + SEARCHED_AT_ONCE - 1));
  return parts[part];
}

/** Cached: creating a formatter takes longer than reading a message. */
const timeFormatOf = oncePer(
  (timeZone: string) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }),
);

/** Milliseconds after which a person has probably changed the subject. */
const TOPIC_CHANGE_MS = 600_000;

/** Joins messages of one person into a line, if no long pause and no message of someone else lies between them. */
export function joinLines(lines: ExchangeLine[], said: AuthoredMessage[]): ExchangeLine[] {
  const places = new Map(said.map(({ id }, at) => [id, at]));
  const goesOn = (before: ExchangeLine, line: ExchangeLine) => {
    const [from, to] = [before.spans.at(-1), line.spans[0]].map(span => places.get(span?.messageId ?? '') ?? -1);
    const between = said.slice(from, (to ?? 0) + 1);
    const pause = (between.at(-1)?.message.sentAt.getTime() ?? 0) - (between[0]?.message.sentAt.getTime() ?? 0);
    return between.every(({ who }) => who === said[to ?? 0]?.who) && pause <= TOPIC_CHANGE_MS;
  };
  const whole: ExchangeLine[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    const isAlike = before && before.who === line.who && before.isForwarded === line.isForwarded;
    if (before && isAlike && goesOn(before, line))
      whole.splice(-1, 1, { ...before, spans: [...before.spans, ...line.spans] });
    else whole.push(line);
  }
  return whole;
}

type Cut = Pick<Span, 'text' | 'isStart' | 'isEnd'>;

/** The sentence that says most, with what follows it as far as there is room. Null where nothing may be shown. */
function cutText(shown: string, { model, language }: ScoredRequest, head: Head): Cut | null {
  if (shown === '') return null;
  if (shown.length <= MAX_WHOLE_LENGTH && !hasMask(shown)) return { text: shown, isStart: true, isEnd: true };
  const pieces = splitLine(shown, language);
  const worth = pieces.map(({ text }) => (hasMask(text) ? -Infinity : scoreText(model, text, head)));
  const first = worth.indexOf(Math.max(...worth));
  let last = first;
  const length = (to: number) => pieces[to]!.to - pieces[first]!.from;
  while (pieces[last + 1] && worth[last + 1]! > -Infinity && length(last + 1) <= CUT_LENGTH) last++;
  const [from, to] = [pieces[first]!.from, pieces[last]!.to];
  const text = shown.slice(from, to).trim();
  const kept =
    text.length > MAX_LINE_LENGTH
      ? text
          .slice(0, text.lastIndexOf(' ', MAX_LINE_LENGTH) > 0 ? text.lastIndexOf(' ', MAX_LINE_LENGTH) : MAX_LINE_LENGTH)
          .toWellFormed()
      : text;
  if (kept === '' || hasMask(kept)) return null;
  return { text: kept, isStart: from === 0, isEnd: to === shown.length && kept === text };
}

type Piece = { text: string; from: number; to: number };

function splitLine(shown: string, language: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const sentence of splitSentences(shown, language).slice(0, MAX_PIECES)) {
    const found = shown.indexOf(sentence, at);
    if (found < 0) continue;
    const before = pieces.at(-1);
    if (before) before.to = found;
    pieces.push({ text: sentence, from: before ? found : 0, to: shown.length });
    at = found + sentence.length;
  }
  return pieces.length > 0 ? pieces : [{ text: shown, from: 0, to: shown.length }];
}

/** The text with the highest `binds` score, judged by its words alone; '' for an empty list. */
export function findMostBinding(model: Model, texts: string[]): string {
  if (texts.length < 2) return texts[0] ?? '';
  const worth = texts.map(text => scoreText(model, text, 'binds'));
  return texts[worth.indexOf(Math.max(...worth))] ?? '';
}
