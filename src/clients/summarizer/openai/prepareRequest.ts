import { setImmediate } from 'node:timers/promises';
import { addressesIn } from '../checker/addresses.ts';
import { visibleText } from '../cleaning.ts';
import { readConversation } from '../conversation.ts';
import type { SummaryRequest } from '../types.ts';
import type { Known } from './plainText.ts';
import { secretsIn } from './secrets.ts';
import { transcriptOf, withinBudget } from './transcript.ts';

/** Yields to everything else after each step: with a day designed to be slow, one step takes up to 0.1 seconds. */
export async function prepareRequest(request: SummaryRequest) {
  await setImmediate();
  const conversation = await readConversation(request);
  await setImmediate();
  const messages = withinBudget(request.messages);
  const secrets = secretsIn(messages.map(({ text }) => visibleText(text)));
  await setImmediate();
  const lines = transcriptOf(messages, conversation, { secrets, toldUntilId: request.told?.untilMessageId });
  await setImmediate();
  const addresses = addressesIn(lines.filter(({ toMachine }) => !toMachine).map(({ text }) => text));
  const known: Known = { addresses, secrets };
  return { conversation, messages, lines, known };
}
