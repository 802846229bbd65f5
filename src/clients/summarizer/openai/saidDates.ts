import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import { fold } from '../cleaning.ts';
import type { Utterance } from '../conversation.ts';
import { findDay } from '../dueDates.ts';
import { wordsOf } from '../words.ts';
import type { Anchor } from './anchoring.ts';

/** What a model says about a date: the words of the conversation, and the day it takes them for. */
export type Claim = { words: string | null; date: string | null };
export type SaidDate = { words: string | null; date: string | null };

const NOTHING: SaidDate = { words: null, date: null };
/** Of the claimed words, how many must stand in the message. */
const MOST_OF_THEM = 0.6;
const FARTHEST_DAYS = 2 * 366;

/**
 * The day somebody named. Models count badly, so we count ourselves, from the words and the moment they were said; the
 * model's day only stands in where our calendar doesn't know the words. Without words there is no day.
 */
export function saidDate(claim: Claim, anchor: Anchor, timezone: string): SaidDate {
  if (claim.words === null && claim.date === null) return NOTHING;
  const { words } = claim;
  const said = words === null ? undefined : anchor.utterances.find(utterance => stands(words, utterance));
  if (!said) return fromSentence(anchor, timezone);
  const day = findDay(words ?? '', said.pack, said.sentAt, timezone)?.date;
  return { words, date: day ?? plausible(claim.date, said, timezone) };
}

function fromSentence({ sentence }: Anchor, timezone: string): SaidDate {
  const day = sentence && findDay(sentence.text, sentence.utterance.pack, sentence.utterance.sentAt, timezone);
  return day ? { words: day.words, date: day.date } : NOTHING;
}

function stands(words: string, { sentences, pack }: Utterance): boolean {
  const claimed = wordsOf(fold(words, pack.code));
  const said = new Set(sentences.flatMap(sentence => wordsOf(fold(sentence.text, pack.code))));
  return claimed.length > 0 && claimed.filter(word => said.has(word)).length >= MOST_OF_THEM * claimed.length;
}

function plausible(date: string | null, { sentAt }: Utterance, timezone: string): string | null {
  if (date === null) return null;
  try {
    const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
    const away = Math.abs(day.since(localDay(sentAt, timezone)).days);
    return away <= FARTHEST_DAYS ? day.toString() : null;
  } catch {
    return null;
  }
}
