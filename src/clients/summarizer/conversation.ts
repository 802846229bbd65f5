import { createYielder } from '../../lib/inSteps.ts';
import type { MediaKind } from '../messenger/types.ts';
import { cleanText, contentWords, fold, stem, toWords, withoutMarkup } from './cleaning.ts';
import { detectPack } from './language.ts';
import { type Pack, packOf } from './languages/stopwords.ts';
import { findLinks } from './links.ts';
import type { Names } from './names.ts';
import { type AuthoredMessage, readMessages } from './readMessages.ts';
import { splitSentences } from './sentences.ts';
import type { SummaryRequest } from './types.ts';

/** A link's host is an address, not a word. */
const HOST = /(?<![a-z\d.-])(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}\b/giu;

export type Sentence = {
  text: string;
  /** All words, folded. */
  words: string[];
  /** Stems of the words that mean something, each once. */
  stems: string[];
  isQuestion: boolean;
  utterance: Utterance;
};

export type Utterance = {
  messageId: string;
  sentAt: Date;
  /** YYYY-MM-DD of `sentAt` in the user's time zone. */
  day: string;
  speaker: string;
  /** The messenger's id of the speaker, where it is known. */
  senderId: string | undefined;
  /** The message that it replies to. */
  replyTo: string | null;
  fromUser: boolean;
  forwarded: boolean;
  pack: Pack;
  sentences: Sentence[];
  media: MediaKind | null;
};

export type Conversation = {
  names: Names;
  isGroup: boolean;
  timezone: string;
  links: string[];
  language: string;
  pack: Pack;
  /** The messages with words or media, except attempts at prompt injection. Oldest first. */
  utterances: Utterance[];
  /** Distinct names, in the order of their first word. */
  speakers: string[];
};

/** Reads a request once, so that all that follows sees only clean, masked text. */
export async function readConversation(request: Omit<SummaryRequest, 'style'>): Promise<Conversation> {
  const nextStep = createYielder();
  const { names, timezone, language, said } = await readMessages(request, nextStep);
  const pack = packOf(language);
  const utterances: Utterance[] = [];
  for (const one of said) {
    await nextStep();
    utterances.push(toUtterance(one, pack));
  }
  await nextStep();
  const links = findLinks(said.map(({ message }) => withoutMarkup(message.text)));
  const speakers = [...new Set(said.map(({ who }) => who))];
  return { names, isGroup: request.isGroup, timezone, links, language, pack, utterances, speakers };
}

function toUtterance({ message, id, who, day }: AuthoredMessage, pack: Pack): Utterance {
  const text = cleanText(message.text);
  const spoken = detectPack(text, pack);
  const utterance: Utterance = {
    messageId: id,
    sentAt: message.sentAt,
    day,
    speaker: who,
    senderId: message.senderId,
    replyTo: message.replyTo === undefined ? null : String(message.replyTo),
    fromUser: message.fromUser,
    forwarded: message.forwarded,
    pack: spoken,
    sentences: [],
    media: message.media?.kind ?? null,
  };
  utterance.sentences = splitSentences(text, spoken.code).map(sentence => toSentence(sentence, utterance));
  return utterance;
}

const QUESTION_END = /[?？؟]\s*[)"'”»\p{Extended_Pictographic}]*$/u;
const GREEK_QUESTION_END = /[?;;]\s*[)"'”»\p{Extended_Pictographic}]*$/u;

function toSentence(text: string, utterance: Utterance): Sentence {
  const { pack } = utterance;
  const words = toWords(fold(text.replaceAll(HOST, ' '), pack.code));
  const stems = [...new Set(contentWords(words, pack).map(stem))];
  const isQuestion = (pack.code === 'el' ? GREEK_QUESTION_END : QUESTION_END).test(text);
  return { text, words, stems, isQuestion, utterance };
}
