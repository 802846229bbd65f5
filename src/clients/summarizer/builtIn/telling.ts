import { isSecret } from '../masking/mask.ts';
import { mergeSameSubject } from './english/merging.ts';
import { reportStatement, withoutSays } from './english/reported.ts';
import { questionStart, reportQuestion } from './english/reportedQuestions.ts';
import { isFragment } from './english/standsAlone.ts';
import { phrase, quoted, quotedAll } from './phrases.ts';
import { withWeekdays } from './range.ts';
import type { Turn } from './reading.ts';
import { asSentence } from './text.ts';
import type { Reading } from './types.ts';

/** The most characters of a report. */
const LONGEST_REPORT = 260;

/**
 * What the sentences of one message say: in reported speech where the grammar is safe ("Farid says Helen signs on
 * Monday."), else quoted ("Farid: “Fair to me.”").
 * @param antecedent the sentence of the same message that the first part refers to
 */
export function told(parts: Reading[], antecedent: Reading | null, limit: number): string {
  if (!antecedent) return reportedAll(parts) ?? said(parts, limit);
  const all = [antecedent, ...parts];
  const length = all.reduce((sum, { sentence }) => sum + sentence.text.length + 1, 0);
  return reportedAll(all) ?? (length < limit ? said(all, limit) : told(parts, null, limit));
}

function said([first, ...others]: Reading[], limit: number): string {
  if (!first) return '';
  const { speaker } = first.sentence.utterance;
  const quote = quotedAll(
    first.sentence,
    others.map(({ sentence }) => sentence),
    limit,
  );
  return phrase(first.lexicon.code, 'says', { who: speaker, quote });
}

/** Quotes what can't be reported between the rest; null if nothing can be reported. */
export function reportedAll(parts: Reading[]): string | null {
  const sentences: string[] = [];
  let isReported = false;
  for (const reading of parts) {
    if (isSecret(reading.sentence.text)) break;
    if (isScrap(reading) && (sentences.length > 0 || reading !== parts.at(-1))) continue;
    const { speaker } = reading.sentence.utterance;
    const isFirst = sentences.length === 0;
    const report = reported(reading, isFirst);
    const next =
      report === null ? continued(reading, isFirst) : asSentence(isFirst ? report : withoutSays(report, speaker));
    if (sentences.join(' ').length + next.length > LONGEST_REPORT && !isFirst) break;
    sentences.push(next);
    isReported ||= report !== null;
  }
  const [first] = parts;
  return isReported && first ? mergeSameSubject(sentences, first.sentence.utterance.speaker).join(' ') : null;
}

/** A part of at most this many words and without a verb says nothing between other sentences. */
const SCRAP = 4;

function isScrap(reading: Reading): boolean {
  return isFragment(reading) && reading.sentence.words.length <= SCRAP;
}

/** "otherwise they look for another shop": to follow a sentence of the same speaker; without its full stop. */
export function toldFurther(reading: Reading): string | null {
  const report = reported(reading, false);
  return report && withoutSays(report, reading.sentence.utterance.speaker);
}

function continued({ sentence, lexicon }: Reading, isFirst: boolean): string {
  const quote = quoted(sentence, LONGEST_REPORT);
  return isFirst ? phrase(lexicon.code, 'says', { who: sentence.utterance.speaker, quote }) : quote;
}

export function reported(reading: Reading, isFirst = true): string | null {
  const { tokens, voices, sentence } = reading;
  if (!tokens) return null;
  const { speaker, day } = sentence.utterance;
  if (!sentence.isQuestion) return dated(reportStatement(tokens, voices, isFirst), day);
  const question = reportQuestion(tokens, voices);
  const asks = voices.listener === null ? 'asks' : `asks ${voices.listener}`;
  if (question) return dated(`${speaker} ${asks} ${question}`, day);
  const start = questionStart(tokens);
  const lead = start > 0 ? reportStatement(tokens.slice(0, start - 1), voices, isFirst) : null;
  const behind = lead && reportQuestion(tokens.slice(start), voices, THEY.test(lead));
  return behind ? dated(`${lead} and ${asks} ${behind}`, day) : null;
}

const THEY = /(?<!\p{L})(?:they|them|their)(?!\p{L})/u;

function dated(text: string | null, day: string): string | null {
  return text && withWeekdays(text, day);
}

export function toldWhole(reading: Reading, turns: Turn[], limit: number): string {
  return told([reading], antecedentOf(reading, turns), limit);
}

/** The openings of a sentence that refers to what was said before it, and can't be understood without that. */
const POINTS_BACK =
  /^(?:he|she|it|they|this|that|these|those|there|and|but|so|then|otherwise|both|him|her|(?:after|before|until|by) (?:that|then))(?:'\p{L}+)?(?!\p{L})/u;

/** The sentence of the same message that a reading refers to. */
export function antecedentOf(reading: Reading | undefined, turns: Turn[]): Reading | null {
  if (!reading || !POINTS_BACK.test(reading.folded)) return null;
  const before = readingsOf(reading, turns).find(({ index }) => index === reading.index - 1);
  return before && !before.isSmallTalk && !isSecret(before.sentence.text) ? before : null;
}

/** All of the message that a reading is in. */
export function readingsOf({ sentence }: Reading, turns: Turn[]): Reading[] {
  return turns.find(({ utterance }) => utterance === sentence.utterance)?.readings ?? [];
}

export function codeOf({ lexicon }: Reading): string {
  return lexicon.code;
}
