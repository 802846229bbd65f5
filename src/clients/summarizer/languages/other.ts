import * as lists from 'stopword';
import { NEVER, wordSet } from './cues.ts';
import { english } from './en.ts';
import type { DealSignal, LanguagePack } from './types.ts';
import { DEAL_SIGNALS } from './types.ts';

const STOPWORDS: Record<string, string[]> = {
  ar: lists.ara,
  bg: lists.bul,
  cs: lists.ces,
  da: lists.dan,
  el: lists.ell,
  fa: lists.fas,
  fi: lists.fin,
  he: lists.heb,
  hi: lists.hin,
  hu: lists.hun,
  id: lists.ind,
  it: lists.ita,
  ja: lists.jpn,
  ko: lists.kor,
  nl: lists.nld,
  no: lists.nob,
  ro: lists.ron,
  sv: lists.swe,
  vi: lists.vie,
  zh: lists.zho,
};

/** Greetings and thanks, which the lists take for words with a meaning. */
const GREETINGS =
  wordSet(`ありがとう おはよう お世話 お願い お送り いたし 你好 您好 谢谢 السلام عليكم شكرا أستاذ أستاذة عندنا היי שלום תודה
  ciao grazie buongiorno buonasera salve prego per hallo hoi bedankt dank goedemorgen καλημέρα ευχαριστώ μου σου hej tack`);

/**
 * A language without cues of its own: sentences are weighed by their words and questions known by their mark; nothing is
 * taken for a promise, a request or a feeling. The summary is put in English words around what was said.
 */
export function unknownLanguage(code: string): LanguagePack {
  const nothing = Object.fromEntries(DEAL_SIGNALS.map(signal => [signal, NEVER])) as Record<DealSignal, RegExp>;
  return {
    code,
    stopwords: new Set([...(STOPWORDS[code] ?? []), ...GREETINGS]),
    smallTalk: NEVER,
    opening: NEVER,
    question: NEVER,
    inquiry: NEVER,
    intent: NEVER,
    dangling: NEVER,
    promise: NEVER,
    promiseWithDate: NEVER,
    request: NEVER,
    requestWithDate: NEVER,
    settled: NEVER,
    urgent: /(?<![\p{L}])(?:asap|urgent\p{L}*)(?!\p{L})/u,
    soon: NEVER,
    positive: NEVER,
    negative: NEVER,
    negation: NEVER,
    meeting: NEVER,
    introduction: NEVER,
    dealSignals: nothing,
    phrasesOfNouns: false,
    nounLead: new Set(),
    notNoun: NEVER,
    calendar: { ...english.calendar, before: NEVER },
    phrases: english.phrases,
  };
}
