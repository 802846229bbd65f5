import { createYielder } from '../../lib/inSteps.ts';
import { isTimezone, localDay } from '../../lib/timezones.ts';
import type { MediaKind, MessengerMessage } from '../messenger/types.ts';
import { cleanText, contentWords, fold, stem, withoutHiddenCharacters, withoutMarkup, wordsOf } from './cleaning.ts';
import { detectLanguage, packSpokenIn } from './language.ts';
import { type Pack, packOf } from './languages/stopwords.ts';
import { findLinks } from './links.ts';
import { type Names, namesFor } from './names.ts';
import { looksLikePromptInjection } from './promptInjection.ts';
import { splitSentences } from './sentences.ts';
import type { SummaryRequest } from './types.ts';

/** The contract promises no more; any further messages are older. */
const MOST_MESSAGES = 500;

/** Characters. Even text designed to be slow is read within a second up to this length. */
const MOST_TEXT = 60_000;
const LONGEST_TEXT = 6000;
const BEGINNING = 200;
/** Characters of a day whose language is uncertain, and the number of promises that help to tell it. */
const SHORT_DAY = 300;
const MOST_BEFORE = 5;

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
  const names = namesFor(request);
  const spoken: { message: MessengerMessage; visible: string; text: string }[] = [];
  for (const message of withinReason(request.messages)) {
    await nextStep();
    const visible = withoutHiddenCharacters(message.text);
    if ((visible.trim() === '' && !message.media) || looksLikePromptInjection(visible)) continue;
    spoken.push({ message, visible, text: cleanText(visible) });
  }
  const texts = spoken.map(({ text }) => text);
  const language = detectLanguage([...texts, ...earlierTexts(request, texts)]);
  const pack = packOf(language);
  const timezone = isTimezone(request.timezone) ? request.timezone : 'UTC';
  const utterances: Utterance[] = [];
  for (const { message, text } of spoken) {
    await nextStep();
    utterances.push(utteranceOf(message, { text, names, pack, timezone }));
  }
  await nextStep();
  const links = findLinks(spoken.map(({ visible }) => withoutMarkup(visible)));
  const speakers = [...new Set(utterances.map(({ speaker }) => speaker))];
  return { names, isGroup: request.isGroup, timezone, links, language, pack, utterances, speakers };
}

/** A few words don't tell the language: earlier promises of the same conversation may. */
function earlierTexts({ openPromises = [] }: Pick<SummaryRequest, 'openPromises'>, texts: string[]): string[] {
  if (texts.join('').length >= SHORT_DAY) return [];
  return openPromises
    .slice(0, MOST_BEFORE)
    .flatMap(({ text, sourceTexts = [] }) => [...sourceTexts, text])
    .map(text => withoutHiddenCharacters(text.slice(0, BEGINNING)));
}

/** The newest messages in full, up to the size that people write, and only the beginnings of the older ones. */
export function withinReason(messages: MessengerMessage[]): MessengerMessage[] {
  let left = MOST_TEXT;
  const newestFirst = messages.slice(-MOST_MESSAGES).toReversed();
  const bounded = newestFirst.map(message => {
    const text = String(message.text ?? '').slice(0, left > 0 ? LONGEST_TEXT : BEGINNING);
    left -= text.length;
    return { ...message, text };
  });
  return bounded.reverse();
}

type Circumstances = { text: string; names: Names; pack: Pack; timezone: string };

function utteranceOf(message: MessengerMessage, { text, names, pack, timezone }: Circumstances): Utterance {
  const spoken = packSpokenIn(text, pack);
  const sentAt = Number.isFinite(message.sentAt.getTime()) ? message.sentAt : new Date(0);
  const utterance: Utterance = {
    messageId: String(message.id),
    sentAt,
    day: localDay(sentAt, timezone),
    speaker: message.fromUser ? names.user : names.sender(message),
    senderId: message.senderId,
    replyTo: message.replyTo === undefined ? null : String(message.replyTo),
    fromUser: message.fromUser,
    forwarded: message.forwarded,
    pack: spoken,
    sentences: [],
    media: message.media?.kind ?? null,
  };
  utterance.sentences = splitSentences(text, spoken.code).map(sentence => sentenceOf(sentence, utterance));
  return utterance;
}

const MARKED = /[?？؟]\s*[)"'”»\p{Extended_Pictographic}]*$/u;
const MARKED_IN_GREEK = /[?;;]\s*[)"'”»\p{Extended_Pictographic}]*$/u;

function sentenceOf(text: string, utterance: Utterance): Sentence {
  const { pack } = utterance;
  const words = wordsOf(fold(text.replaceAll(HOST, ' '), pack.code));
  const stems = [...new Set(contentWords(words, pack).map(stem))];
  const isQuestion = (pack.code === 'el' ? MARKED_IN_GREEK : MARKED).test(text);
  return { text, words, stems, isQuestion, utterance };
}
