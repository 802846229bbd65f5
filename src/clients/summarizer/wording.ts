import { shorten } from './cleaning.ts';
import type { Conversation, Sentence } from './conversation.ts';
import { mediaInWords } from './media.ts';
import { withoutOpening } from './openings.ts';
import { type Ranked, rank } from './ranking.ts';
import type { SummaryStyle } from './types.ts';

const LIMITS: Record<SummaryStyle, number> = { BUSINESS: 600, DETAILED: 1200, MINIMAL: 220 };
const LONGEST_QUOTE: Record<SummaryStyle, number> = { BUSINESS: 160, DETAILED: 240, MINIMAL: 140 };

/** The day in a few sentences: what it was about, then what was said, by whom, in their words. */
export function writeSummary(conversation: Conversation, topics: string[], style: SummaryStyle): string {
  const ranked = rank(conversation);
  if (ranked.length === 0) return nothingToSay(conversation);
  const chosen = choose(ranked, sentencesWanted(conversation, style));
  const parts = chosen.map(sentence => quote(sentence, LONGEST_QUOTE[style]));
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
  return worth * (1 - 0.7 * repeated);
}

function lead({ names, isGroup, speakers, pack }: Conversation, topics: string[]): string {
  const who = isGroup ? names.peer : [...speakers].slice(0, 2).join(` ${pack.phrases.and} `);
  return pack.phrases.about.replace('{who}', who).replace('{topics}', topics.slice(0, 3).join(', '));
}

function quote(sentence: Sentence, limit: number): string {
  const { utterance, folded, isQuestion } = sentence;
  const { phrases, request, promise } = utterance.pack;
  const phrase = request.test(folded)
    ? phrases.requests
    : isQuestion
      ? phrases.asks
      : promise.test(folded)
        ? phrases.promises
        : phrases.says;
  const who = phrase
    .replace('{who}', utterance.speaker)
    .replace('{to}', utterance.addressee ?? '')
    .trim();
  return `${who}: “${shorten(withoutOpening(sentence), limit)}”`;
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
