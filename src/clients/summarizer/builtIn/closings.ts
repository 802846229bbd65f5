import { inSteps } from '../../../lib/inSteps.ts';
import type { Media, MessengerMessage } from '../../messenger/types.ts';
import { visibleText } from '../cleaning.ts';
import { type Conversation, readConversation } from '../conversation.ts';
import { nameOf } from '../media.ts';
import type { Closing, ClosingRequest, SummaryRequest } from '../types.ts';
import { ClosingReader } from './closings/closingReader.ts';
import { knownFrom } from './closings/known.ts';
import { readTurns, type Turn } from './reading.ts';

/** Per conversation. Promises beyond that were made last, and stay open. */
const MOST_PROMISES = 60;
const HANDED_OVER = ['document', 'photo', 'video', 'location', 'contact', 'voice'];
const LONGEST_READ = 6000;

/**
 * What the messages say about `openPromises`: kept, cancelled, moved, or doubtful; promises that they don't mention are
 * left out. Messages up to `told.untilMessageId` only help to understand the others. Evidence must come from the right
 * side and be about the same thing: if it may be about something else, the promise is doubtful. The same request gives
 * the same answer; a long day is read in steps.
 */
export async function readClosings(request: ClosingRequest): Promise<Closing[]> {
  if (!request.openPromises?.length) return [];
  const conversation = await readConversation(request);
  return findClosings(request, conversation, await readTurns(conversation));
}

/** {@link readClosings} for a conversation that has been read already. */
export async function findClosings(
  { openPromises = [], messages, told }: Pick<SummaryRequest, 'messages' | 'told' | 'openPromises'>,
  conversation: Conversation,
  turns: Turn[],
): Promise<Closing[]> {
  const nextStep = inSteps();
  const known = openPromises.slice(0, MOST_PROMISES).map(promise => knownFrom(promise, conversation));
  const reader = new ClosingReader(known, conversation);
  const texts = new Map(messages.map(message => [String(message.id), message]));
  for (const turn of turns) {
    await nextStep();
    const message = texts.get(turn.utterance.messageId);
    if (told && Number(turn.utterance.messageId) <= told.untilMessageId) reader.recall(turn);
    else reader.hear(turn, message ? handedOver(message) : { attachments: [], hasLink: false });
  }
  return reader.closings;
}

function handedOver({ text, media }: MessengerMessage): { attachments: Media[]; hasLink: boolean } {
  const visible = visibleText(text.slice(0, LONGEST_READ));
  const attachments = media && HANDED_OVER.includes(media.kind) ? [{ ...media, name: nameOf(media) }] : [];
  return { attachments, hasLink: /https?:\/\//u.test(visible) };
}
