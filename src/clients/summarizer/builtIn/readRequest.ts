import { createYielder } from '../../../lib/inSteps.ts';
import { isDayName } from '../days/names.ts';
import { mediaInBrackets, withoutTypedMedia } from '../media.ts';
import { type DayScored, type Model, scoreDay } from '../reader/model.ts';
import { readModel } from '../reader/weights.ts';
import { type AuthoredMessage, type MessagesRead, readMessages } from '../readMessages.ts';
import type { SummaryRequest } from '../types.ts';

export type ReadDay = { day: string; said: AuthoredMessage[]; scored: DayScored };

export type ScoredRequest = Pick<MessagesRead, 'names' | 'timezone' | 'language'> & {
  model: Model;
  isGroup: boolean;
  /** Oldest first. */
  days: ReadDay[];
};

/** Scores a request's newest messages by day, without prompt injections. Yields regularly to other work. */
export async function readRequest(request: Omit<SummaryRequest, 'style'>): Promise<ScoredRequest> {
  const nextStep = createYielder();
  const model = readModel();
  const { isGroup } = request;
  const { names, timezone, language, said } = await readMessages(request, nextStep);
  const days: ReadDay[] = [];
  for (const [day, messagesOfDay] of Map.groupBy(said, one => one.day)) {
    await nextStep();
    const messages = messagesOfDay.map(one => {
      const text = toModelText(one);
      return { from: one.who, text, namesDay: isDayName(text, language) };
    });
    days.push({ day, said: messagesOfDay, scored: scoreDay(model, { isGroup, user: names.user, messages }) });
  }
  await nextStep();
  return { model, names, isGroup, timezone, language, days };
}

/** A message's text in the form the model was trained on: with marks for forwarding and attachments. */
export function toModelText({ message: { forwarded, media, text } }: AuthoredMessage): string {
  const mark = forwarded ? '[forwarded]' : '';
  return [mark, media ? mediaInBrackets(media) : '', withoutTypedMedia(text)].filter(Boolean).join(' ');
}
