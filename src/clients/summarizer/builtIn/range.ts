import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import { type Conversation, DAY } from '../conversation.ts';
import { phrase } from './phrases.ts';
import type { Reading } from './types.ts';

/** What a fact loses for each day before the last: what is older is mostly settled. */
const OLDER = 0.7;

/** "Since 7 Nov:", where the messages are of more than one day; else ''. */
export function sinceWords({ utterances, timezone, pack }: Conversation): string {
  const [first, last] = [utterances[0], utterances.at(-1)].map(said => said && localDay(said.sentAt, timezone));
  if (!first || !last || first === last) return '';
  const code = pack.code === 'un' ? 'en' : pack.code;
  const day = Temporal.PlainDate.from(first).toLocaleString(code === 'en' ? 'en-GB' : code, {
    day: 'numeric',
    month: 'short',
  });
  return phrase(pack.code, 'since', { quote: day });
}

export function recency(readings: Reading[], { utterances }: Conversation): number {
  const last = utterances.at(-1)?.sentAt.getTime() ?? 0;
  const said = Math.max(...readings.map(({ sentence }) => sentence.utterance.sentAt.getTime()));
  return OLDER ** Math.floor(Math.max(0, last - said) / DAY);
}
