import * as lists from 'stopword';
import { NEVER } from './cues.ts';
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

/**
 * A language without cues of its own: sentences are weighed by their words and questions known by their mark; nothing is
 * taken for a promise, a request or a feeling. The summary is put in English words around what was said.
 */
export function unknownLanguage(code: string): LanguagePack {
  const nothing = Object.fromEntries(DEAL_SIGNALS.map(signal => [signal, NEVER])) as Record<DealSignal, RegExp>;
  return {
    code,
    stopwords: new Set(STOPWORDS[code] ?? []),
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
