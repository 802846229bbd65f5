import { localDay } from '../../../lib/timezones.ts';
import { actionItemId } from '../actionItemId.ts';
import { shorten } from '../cleaning.ts';
import { type Conversation, DAY } from '../conversation.ts';
import { isSecret } from '../masking.ts';
import type { ActionItem } from '../types.ts';
import { contextOf } from './context.ts';
import { phrase, quoted } from './phrases.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import { capitalized, withDay, withoutDay } from './text.ts';

const MOST = 12;
const LONGEST = 200;
const STALE = 3 * DAY;
/** How sure it must be that something is left to do. */
const SURE = 0.5;

export type OpenTask = { task: Task; item: ActionItem };

/** What is left to do at the end, in the order in which it came up. */
export function findItems(tasks: Task[], turns: Turn[], conversation: Conversation): OpenTask[] {
  const lastSaid = conversation.utterances.at(-1)?.sentAt ?? new Date(0);
  const isCurrent = (task: Task) => !isStale(task, lastSaid, conversation.timezone);
  const open = tasks
    .filter(task => isOpen(task, tasks) && isCurrent(task))
    .filter(task => !task.readings.some(({ sentence }) => isSecret(sentence.text)));
  return open.slice(-MOST).map(task => ({ task, item: itemOf(task, turns, conversation) }));
}

function isOpen(task: Task, tasks: Task[]): boolean {
  if (task.state !== 'open') return false;
  const [first] = task.readings;
  if (!first) return false;
  if (task.isForAll) return !tasks.some(other => other !== task && other.readings[0] === first);
  if (task.kind === 'offer') return task.isAccepted && task.strength >= SURE;
  if (task.kind === 'question') return first.sentence.stems.length > 0 && task.strength >= SURE;
  return task.strength >= SURE;
}

/** Its day has passed, or it was said days ago without one: most likely it was settled in ways that words don't show. */
function isStale({ when, readings, kind }: Task, lastSaid: Date, timezone: string): boolean {
  if (when && kind !== 'question') return when.date < localDay(lastSaid, timezone);
  const said = readings.at(-1)?.sentence.utterance.sentAt ?? lastSaid;
  return lastSaid.getTime() - said.getTime() > STALE;
}

function itemOf(task: Task, turns: Turn[], conversation: Conversation): ActionItem {
  const [first] = task.readings;
  const { when } = task;
  const messageId = first?.sentence.utterance.messageId ?? '';
  return {
    id: actionItemId(messageId, first?.sentence.words ?? []),
    text: shorten(textOf(task, turns, conversation), LONGEST),
    ...ownerOf(task, conversation),
    dueDate: task.kind === 'question' ? null : (when?.date ?? null),
    dueText: task.kind === 'question' || !when ? null : shorten(when.words, 60),
    dueTime: task.kind === 'question' ? null : (when?.time ?? null),
    sourceMessageIds: [...new Set(task.readings.map(({ sentence }) => sentence.utterance.messageId))],
  };
}

function ownerOf({ kind, doer, isAccepted }: Task, { names }: Conversation): Pick<ActionItem, 'owner' | 'ownerName'> {
  // What both agreed to do together stands on the user's list.
  if (kind === 'proposal' && isAccepted) return { owner: 'user', ownerName: names.user };
  if (!doer) return { owner: 'unknown', ownerName: null };
  return { owner: doer.isUser ? 'user' : 'contact', ownerName: doer.name };
}

function textOf(task: Task, turns: Turn[], { pack }: Conversation): string {
  const [first] = task.readings;
  if (!first) return '';
  const { deed, asker } = task;
  const said = quoted(first.sentence, 160);
  if (task.kind === 'question' || (task.kind === 'proposal' && !task.isAccepted))
    return phrase(pack.code, 'reply', { to: asker.name, quote: said });
  if (!deed) return phrase(pack.code, 'says', { who: asker.name, quote: said });
  const words = capitalized(withoutDay(withDay(deed.toDo, task.deedWhen, task.when), task.when));
  if (!deed.isVague) return words;
  const context = contextOf(task, turns) ?? first;
  return `${words} (${quoted(context.sentence, 100)})`;
}
