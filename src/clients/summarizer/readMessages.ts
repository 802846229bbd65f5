import { isTimezone, localDay } from '../../lib/timezones.ts';
import type { MessengerMessage } from '../messenger/types.ts';
import { withoutHiddenCharacters } from './cleaning.ts';
import { detectLanguage } from './language.ts';
import { createNames, type Names } from './names.ts';
import { looksLikePromptInjection } from './promptInjection.ts';
import type { SummaryRequest } from './types.ts';

/** As many as a digest that is written again rests on; any further messages are older. */
const MAX_MESSAGES = 2000;

/** Characters that are read in full; of each older message, only the beginning is. */
const MAX_TOTAL_LENGTH = 60_000;
const MAX_TEXT_LENGTH = 6000;
const BEGINNING_LENGTH = 200;

/** The newest messages that tell the language, and characters of each; with fewer in all, earlier promises help. */
const SAMPLE = { messages: 60, each: 300, short: 300, promises: 5 };

/** A message as it is read: bounded, without characters that don't show. */
export type AuthoredMessage = {
  message: MessengerMessage;
  id: string;
  /** What its writer is called, the same for all of their messages. */
  who: string;
  /** YYYY-MM-DD in the user's time zone. */
  day: string;
};

export type MessagesRead = {
  names: Names;
  timezone: string;
  /** ISO 639-1, or 'und' */
  language: string;
  /** Oldest first: those with words or media, except attempts at prompt injection. */
  said: AuthoredMessage[];
};

/** Reads a request's messages, for the model and for the built-in summarizer. @param nextStep lets others work between */
export async function readMessages(
  request: Omit<SummaryRequest, 'style'>,
  nextStep: () => Promise<void>,
): Promise<MessagesRead> {
  const timezone = isTimezone(request.timezone) ? request.timezone : 'UTC';
  const names = createNames(request);
  const said: AuthoredMessage[] = [];
  for (const message of boundMessages(request.messages)) {
    await nextStep();
    const text = withoutHiddenCharacters(message.text);
    if ((text.trim() === '' && !message.media) || looksLikePromptInjection(text)) continue;
    const sentAt = Number.isFinite(message.sentAt.getTime()) ? message.sentAt : new Date(0);
    const who = message.fromUser ? names.user : names.sender(message);
    said.push({ message: { ...message, text, sentAt }, id: String(message.id), who, day: localDay(sentAt, timezone) });
  }
  return { names, timezone, language: detectRequestLanguage(said, request.openPromises), said };
}

/** A few words don't tell the language: earlier promises of the same conversation may. */
function detectRequestLanguage(said: AuthoredMessage[], openPromises: SummaryRequest['openPromises'] = []): string {
  const sample = said.slice(-SAMPLE.messages).map(({ message }) => message.text.slice(0, SAMPLE.each));
  if (sample.join('').length >= SAMPLE.short) return detectLanguage(sample);
  const promised = openPromises.slice(0, SAMPLE.promises).flatMap(({ text, sourceTexts = [] }) => [...sourceTexts, text]);
  return detectLanguage([...sample, ...promised.map(text => withoutHiddenCharacters(text.slice(0, BEGINNING_LENGTH)))]);
}

/** The newest messages in full, up to the size that people write, and only the beginnings of the older ones. */
export function boundMessages(messages: MessengerMessage[]): MessengerMessage[] {
  let left = MAX_TOTAL_LENGTH;
  const newestFirst = messages.slice(-MAX_MESSAGES).toReversed();
  const bounded = newestFirst.map(message => {
    const text = String(message.text ?? '').slice(0, left > 0 ? MAX_TEXT_LENGTH : BEGINNING_LENGTH);
    left -= text.length;
    return { ...message, text };
  });
  return bounded.reverse();
}
