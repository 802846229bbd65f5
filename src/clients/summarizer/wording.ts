import { shorten } from './cleaning.ts';
import type { Conversation, Sentence } from './conversation.ts';
import { mediaInWords } from './media.ts';
import { withoutOpening } from './openings.ts';
import { fill, mediaNote } from './phrases.ts';
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
  let wanted = sentencesWanted(conversation, style);
  let text = compose(conversation, { topics, style, chosen: choose(ranked, wanted) });
  while (text.length > LIMITS[style] && wanted > 1) {
    wanted -= 1;
    text = compose(conversation, { topics, style, chosen: choose(ranked, wanted) });
  }
  return shorten(text, LIMITS[style]);
}

type Parts = { topics: string[]; style: SummaryStyle; chosen: Sentence[] };

function compose(conversation: Conversation, { topics, style, chosen }: Parts): string {
  const said = quotes(chosen, LONGEST_QUOTE[style]);
  if (style === 'MINIMAL') return said.join(' ');
  const about = topics.length > 0 ? lead(conversation, topics) : '';
  return [about, ...said, mediaNote(conversation, conversation.pack.phrases)].filter(Boolean).join(' ');
}

function sentencesWanted({ utterances }: Conversation, style: SummaryStyle): number {
  const said = utterances.reduce((sum, { sentences }) => sum + sentences.length, 0);
  if (style === 'MINIMAL') return 1;
  const wanted = 1 + Math.round(Math.log2(1 + said / 11));
  return style === 'BUSINESS' ? Math.min(wanted, 6) : Math.min(2 * wanted + 1, 12);
}

/** The worthiest sentences that don't repeat each other, in the order they were said. */
function choose(ranked: Ranked[], wanted: number): Sentence[] {
  const chosen = new Set<Ranked>();
  const known = new Set<string>();
  while (chosen.size < wanted) {
    let best: { ranked: Ranked; worth: number } | null = null;
    for (const candidate of ranked) {
      const worth = chosen.has(candidate) ? 0 : newWorth(candidate, known);
      if (worth > (best?.worth ?? 0)) best = { ranked: candidate, worth };
    }
    if (!best) break;
    chosen.add(best.ranked);
    for (const stem of best.ranked.sentence.stems) known.add(stem);
  }
  return ranked.filter(candidate => chosen.has(candidate)).map(({ sentence }) => sentence);
}

function newWorth({ sentence, worth }: Ranked, known: Set<string>): number {
  const repeated = sentence.stems.filter(stem => known.has(stem)).length / Math.max(sentence.stems.length, 1);
  return worth * (1 - REPETITION * repeated);
}

/** What it was about, by the names of the two who talked or of the group. */
function lead({ names, isGroup, speakers, pack }: Conversation, topics: string[]): string {
  const named = topics.slice(0, 3).join(', ');
  const [first = names.peer, second] = speakers;
  if (isGroup || second === undefined) return `${isGroup ? names.peer : first}: ${named}.`;
  return fill(pack.phrases.about, { who: `${first} ${pack.phrases.and} ${second}`, topics: named });
}

/** Neighbouring sentences of one voice go into one pair of quotation marks. */
function quotes(chosen: Sentence[], limit: number): string[] {
  const said: { voice: string; words: string; last: Sentence }[] = [];
  for (const sentence of chosen) {
    const words = unquoted(shorten(withoutOpening(sentence), limit).replaceAll(/[“”„‟]/g, '"'));
    const [voice, before] = [voiceOf(sentence), said.at(-1)];
    if (before?.voice === voice) {
      before.words += `${follows(before.last, sentence) ? ' ' : ' … '}${words}`;
      before.last = sentence;
    } else said.push({ voice, words, last: sentence });
  }
  return said.map(({ voice, words }) => `${voice}: “${words}”`);
}

/** A sentence that is a quotation as a whole needs no marks inside ours. */
function unquoted(words: string): string {
  return words.replace(/^"([^"]+)"$/, '$1');
}

function follows(earlier: Sentence, later: Sentence): boolean {
  const { sentences } = earlier.utterance;
  return sentences.indexOf(later) === sentences.indexOf(earlier) + 1;
}

function voiceOf(sentence: Sentence): string {
  const { speaker, addressee } = sentence.utterance;
  return fill(voicePhrase(sentence), { who: speaker, to: addressee });
}

function voicePhrase({ utterance: { pack }, folded, isQuestion }: Sentence): string {
  if (pack.request.test(folded)) return pack.phrases.requests;
  if (isQuestion) return pack.phrases.asks;
  return pack.promise.test(folded) ? pack.phrases.promises : pack.phrases.says;
}

/** An honest sentence for a day without a sentence worth quoting. */
function nothingToSay({ utterances, speakers, messageCount }: Conversation): string {
  if (messageCount === 0) return 'No messages.';
  const media = utterances.flatMap(utterance => utterance.media ?? []);
  const words = utterances.filter(({ sentences }) => sentences.length > 0).length;
  if (words === 0)
    return media.length > 0 ? `${capital(mediaInWords(media))}, no text.` : 'Nothing that can be put in words.';
  const messages = words === 1 ? 'one short message' : `${words} short messages`;
  const besides = media.length > 0 ? `, and ${mediaInWords(media)}` : '';
  return `${speakers.slice(0, 3).join(', ')}: ${messages} with nothing to quote${besides}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
