import { shorten } from './cleaning.ts';
import type { Conversation, Sentence } from './conversation.ts';
import { mediaInWords } from './media.ts';
import { withoutOpening } from './openings.ts';
import { type Ranked, rank } from './ranking.ts';
import type { SummaryStyle } from './types.ts';

const LIMITS: Record<SummaryStyle, number> = { BUSINESS: 600, DETAILED: 1200, MINIMAL: 220 };
/** How much a sentence loses that only repeats what is chosen. */
const REPETITION = 0.6;
const LONGEST_QUOTE: Record<SummaryStyle, number> = { BUSINESS: 160, DETAILED: 240, MINIMAL: 140 };

/** The day in a few sentences: what it was about, then what was said, by whom, in their words. */
export function writeSummary(conversation: Conversation, topics: string[], style: SummaryStyle): string {
  const ranked = rank(conversation);
  if (ranked.length === 0) return nothingToSay(conversation);
  const chosen = choose(ranked, sentencesWanted(conversation, style));
  const parts = quotes(chosen, LONGEST_QUOTE[style]);
  if (style !== 'MINIMAL' && topics.length > 0) parts.unshift(lead(conversation, topics));
  return shorten(parts.join(' '), LIMITS[style]);
}

function sentencesWanted({ utterances }: Conversation, style: SummaryStyle): number {
  if (style === 'MINIMAL') return 1;
  const wanted = 1 + Math.round(Math.log2(1 + utterances.length / 6));
  return style === 'BUSINESS' ? Math.min(wanted, 6) : Math.min(2 * wanted + 1, 12);
}

/** The worthiest sentences that don't repeat each other, in the order they were said. */
function choose(ranked: Ranked[], wanted: number): Sentence[] {
  const chosen: Sentence[] = [];
  const rest = new Set(ranked);
  while (chosen.length < wanted && rest.size > 0) {
    const [best] = [...rest].toSorted((a, b) => newWorth(b, chosen) - newWorth(a, chosen));
    if (!best) break;
    rest.delete(best);
    chosen.push(best.sentence);
  }
  const order = new Map(ranked.map(({ sentence }, index) => [sentence, index]));
  return chosen.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function newWorth({ sentence, worth }: Ranked, chosen: Sentence[]): number {
  const known = new Set(chosen.flatMap(({ stems }) => stems));
  const repeated = sentence.stems.filter(stem => known.has(stem)).length / Math.max(sentence.stems.length, 1);
  return worth * (1 - REPETITION * repeated);
}

function lead({ names, isGroup, speakers, pack }: Conversation, topics: string[]): string {
  const who = isGroup ? names.peer : [...speakers].slice(0, 2).join(` ${pack.phrases.and} `);
  return pack.phrases.about.replace('{who}', who).replace('{topics}', topics.slice(0, 3).join(', '));
}

/** Neighbouring sentences of one voice go into one pair of quotation marks. */
function quotes(chosen: Sentence[], limit: number): string[] {
  const said: { voice: string; words: string; last: Sentence }[] = [];
  for (const sentence of chosen) {
    const words = shorten(withoutOpening(sentence), limit);
    const [voice, before] = [voiceOf(sentence), said.at(-1)];
    if (before?.voice !== voice) said.push({ voice, words, last: sentence });
    else
      Object.assign(before, {
        words: `${before.words}${follows(before.last, sentence) ? ' ' : ' … '}${words}`,
        last: sentence,
      });
  }
  return said.map(({ voice, words }) => `${voice}: “${words}”`);
}

function follows(earlier: Sentence, later: Sentence): boolean {
  const { sentences } = earlier.utterance;
  return sentences.indexOf(later) === sentences.indexOf(earlier) + 1;
}

function voiceOf({ utterance, folded, isQuestion }: Sentence): string {
  const { phrases, request, promise } = utterance.pack;
  const asks = request.test(folded) || isQuestion;
  const phrase = asks ? phrases.asks : promise.test(folded) ? phrases.promises : phrases.says;
  return phrase
    .replace('{who}', utterance.speaker)
    .replace('{to}', utterance.addressee ?? '')
    .trim();
}

function nothingToSay({ utterances, names, speakers }: Conversation): string {
  const media = utterances.flatMap(utterance => utterance.media ?? []);
  const words = utterances.filter(({ sentences }) => sentences.length > 0);
  if (media.length > 0 && words.length === 0) return `${capital(mediaInWords(media))}, no text.`;
  if (words.length === 0) return `Nothing from ${names.peer} that could be read as text.`;
  return `${speakers.join(' and ')}: a short exchange of ${words.length} messages, nothing that needs reading.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
