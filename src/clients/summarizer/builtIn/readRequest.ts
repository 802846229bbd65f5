import { createYielder } from '../../../lib/inSteps.ts';
import { isTimezone, localDay } from '../../../lib/timezones.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { withoutHiddenCharacters } from '../cleaning.ts';
import { isDayName } from '../days/names.ts';
import { detectLanguage } from '../language.ts';
import { mediaInBrackets, withoutTypedMedia } from '../media.ts';
import { type Names, namesFor } from '../names.ts';
import { looksLikePromptInjection } from '../promptInjection.ts';
import { type DayScored, type Model, scoreDay } from '../reader/model.ts';
import { readModel } from '../reader/weights.ts';
import type { SummaryRequest } from '../types.ts';

const MOST_MESSAGES = 500;
/** Characters: of a message, and of all; of what is older only beginnings are read. */
const LONGEST_TEXT = 1500;
const MOST_TEXT = 60_000;
const BEGINNING = 100;
/** Messages that tell the language; with fewer characters, earlier promises help. */
const SAMPLE = 60;
const SHORT_SAMPLE = 300;

/** A message as it is read. `who`: what its writer is called, the same for all of their messages. */
export type AuthoredMessage = { message: MessengerMessage; id: string; who: string; text: string };

/** A day of a conversation, scored. */
export type ReadDay = { day: string; said: AuthoredMessage[]; scored: DayScored };

export type ScoredRequest = {
  model: Model;
  names: Names;
  isGroup: boolean;
  timezone: string;
  language: string;
  /** Oldest first. */
  days: ReadDay[];
};

/** Scores a request's newest messages by day, without those to machines, with breaks, so that it holds nothing up. */
export async function readRequest(request: Omit<SummaryRequest, 'style'>): Promise<ScoredRequest> {
  const nextStep = createYielder();
  const model = readModel();
  const timezone = isTimezone(request.timezone) ? request.timezone : 'UTC';
  const names = namesFor(request);
  const said = await readMessages(request.messages, names, nextStep);
  const promised = (request.openPromises ?? []).slice(0, 5).map(({ text }) => text);
  const sample = said.slice(-SAMPLE).map(({ message }) => withoutHiddenCharacters(message.text.slice(0, 300)));
  const language = detectLanguage(sample.join('').length < SHORT_SAMPLE ? [...sample, ...promised] : sample);
  const days: ReadDay[] = [];
  for (const [day, of] of Map.groupBy(said, ({ message }) => dayOf(message, timezone))) {
    await nextStep();
    const messages = of.map(({ who, text }) => ({ from: who, text, namesDay: isDayName(text, language) }));
    const scored = scoreDay(model, { isGroup: request.isGroup, user: names.user, messages });
    days.push({ day, said: of, scored });
  }
  await nextStep();
  return { model, names, isGroup: request.isGroup, timezone, language, days };
}

export function dayOf({ sentAt }: MessengerMessage, timezone: string): string {
  return localDay(Number.isFinite(sentAt.getTime()) ? sentAt : new Date(0), timezone);
}

async function readMessages(
  messages: MessengerMessage[],
  names: Names,
  nextStep: () => Promise<void>,
): Promise<AuthoredMessage[]> {
  let left = MOST_TEXT;
  const said: AuthoredMessage[] = [];
  for (const message of messages.slice(-MOST_MESSAGES).toReversed()) {
    await nextStep();
    const visible = withoutHiddenCharacters(String(message.text ?? '').slice(0, left > 0 ? LONGEST_TEXT : BEGINNING));
    left -= visible.length;
    if ((visible.trim() === '' && !message.media) || looksLikePromptInjection(visible)) continue;
    const media = message.media ? mediaInBrackets(message.media) : '';
    const text = [message.forwarded ? '[forwarded]' : '', media, withoutTypedMedia(visible)].filter(Boolean).join(' ');
    said.push({ message, id: String(message.id), who: message.fromUser ? names.user : names.sender(message), text });
  }
  return said.reverse();
}
