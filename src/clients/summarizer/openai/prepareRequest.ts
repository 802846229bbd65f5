import { setImmediate } from 'node:timers/promises';
import type { MessengerMessage } from '../../messenger/types.ts';
import { addressesIn } from '../checker/addresses.ts';
import { visibleText } from '../cleaning.ts';
import { readConversation } from '../conversation.ts';
import type { SummaryRequest } from '../types.ts';
import type { Known } from './plainText.ts';
import { secretsIn } from './secrets.ts';
import { type Line, transcriptOf, withinBudget } from './transcript.ts';

/** Yields to everything else after each step: with a day designed to be slow, one step takes up to 0.1 seconds. */
export async function prepareRequest(request: SummaryRequest) {
  await setImmediate();
  const conversation = await readConversation(request);
  await setImmediate();
  const messages = withinBudget(request.messages);
  const lines = transcriptOf(messages, conversation, request.told?.untilMessageId);
  await setImmediate();
  return { conversation, messages, lines, known: knownFrom(lines, messages) };
}

function knownFrom(lines: Line[], messages: MessengerMessage[]): Known {
  const quotable = lines.filter(({ toMachine }) => !toMachine).map(({ text }) => text);
  return { addresses: addressesIn(quotable), secrets: secretsIn(messages.map(({ text }) => visibleText(text))) };
}
