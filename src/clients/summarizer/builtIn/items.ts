import { actionItemIds } from '../actionItemId.ts';
import { shorten } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { isSecret } from '../masking/mask.ts';
import type { ActionItem } from '../types.ts';
import { contextOf } from './context.ts';
import { phrase, quoted, quotedBeside, quotedFrom, saysLittle } from './phrases.ts';
import { withTaskWeekdays } from './range.ts';
import type { Turn } from './reading.ts';
import { isForOther, isOnlyDay, settledBy } from './replies.ts';
import { stands } from './standing.ts';
import { awaitsAnswer, isOfferAsked, questionOf, type Task } from './tasks.ts';
import { reported } from './telling.ts';
import { capitalized, withDay, withoutDay } from './text.ts';
import type { Reading } from './types.ts';
import type { When } from './when.ts';

const MOST = 12;
const LONGEST = 200;
/** Said of what belongs to something just asked for, and is done when that is. */
const AT_ONCE = / (?:right away|straight away|at once|immediately)$/;

export type OpenTask = { task: Task; item: ActionItem };

/** What is left to do at the end, in the order in which it came up. */
export function findItems(tasks: Task[], turns: Turn[], conversation: Conversation): OpenTask[] {
  const open = tasks
    .filter(task => stands(task, tasks, turns, conversation))
    .filter(task => !task.readings.some(({ sentence }) => isSecret(sentence.text)));
  const ids = idsOf(tasks);
  return open.flatMap(task => itemOf(task, ids.get(task) ?? '', turns, conversation) ?? []).slice(-MOST);
}

/** Counts settled tasks, too: the second task of a sentence stays the second one when the first is done. */
export function idsOf(tasks: Task[]): Map<Task, string> {
  const idOf = actionItemIds();
  return new Map(
    tasks.flatMap(task => {
      const sentence = task.readings[0]?.sentence;
      return sentence ? [[task, idOf(sentence.utterance.messageId, sentence.words)]] : [];
    }),
  );
}

/** Returns null for what can't be understood without the conversation. */
function itemOf(task: Task, id: string, turns: Turn[], conversation: Conversation): OpenTask | null {
  const [first] = task.readings;
  const text = textOf(task, turns, conversation);
  if (!first || text === null) return null;
  // An answer that someone waits for has no due day.
  const when = task.kind !== 'proposal' && awaitsAnswer(task) ? null : (task.when ?? dayBefore(task, turns));
  const sources = task.context ? [...task.readings, task.context] : task.readings;
  const item: ActionItem = {
    id,
    text: shorten(text, LONGEST),
    ...ownerOf(task, conversation),
    dueDate: when?.date ?? null,
    dueText: when && shorten(when.words, 60),
    dueTime: when?.time ?? null,
    // What both agreed to do together on a day.
    ...(task.kind === 'proposal' && task.isAccepted && when && { kind: 'appointment' as const }),
    sourceMessageIds: [...new Set(sources.map(({ sentence }) => sentence.utterance.messageId))],
  };
  return { task, item };
}

/** "The class wants to come on the 3rd." – "I can do that.": the day of what was taken on. English knows what "that" is. */
function dayBefore(task: Task, turns: Turn[]): When | null {
  const { deed, kind, readings, doer } = task;
  if (!deed?.isVague || kind === 'proposal' || readings[0]?.lexicon.code === 'en') return null;
  const context = contextOf(task, turns);
  return context && context.sentence.utterance.speaker !== doer?.name ? context.when : null;
}

export function ownerOf(task: Task, { names, isGroup }: Conversation): Pick<ActionItem, 'owner' | 'ownerName'> {
  const { kind, doer, isAccepted, asker } = task;
  // Between two people, an offer is for the other one to answer.
  if (isOfferAsked(task) && !isGroup)
    return asker.isUser ? { owner: 'contact', ownerName: names.peer } : { owner: 'user', ownerName: names.user };
  // What both agreed to do together is on the user's list.
  if (kind === 'proposal' && isAccepted) return { owner: 'user', ownerName: names.user };
  if (!doer) return { owner: 'unknown', ownerName: null };
  return { owner: doer.isUser ? 'user' : 'contact', ownerName: doer.name };
}

function textOf(task: Task, turns: Turn[], { pack }: Conversation): string | null {
  const [first] = task.readings;
  if (!first) return null;
  const { deed, asker } = task;
  const said = quoted(first.sentence, 160);
  if (awaitsAnswer(task)) {
    const quote = quoted((questionOf(task) ?? first).sentence, 160);
    return phrase(pack.code, 'reply', { to: asker.name, quote });
  }
  if (!deed || deed.isRough) {
    const was = first.when;
    // An agreement is told in the words that settled its day.
    const settled = settledBy(task.readings);
    const isMoved = settled !== undefined && (was === null || isForOther(was, settled.when) || saysLittle(first));
    // "Send me the offer" – "You'll have it by the 24th".
    const isTakenUp = deed === null && first.when === null && settled !== undefined && !isOnlyDay(settled);
    const telling = isMoved && (task.kind === 'proposal' || isTakenUp) ? settled : first;
    const { speaker } = telling.sentence.utterance;
    const quote =
      telling.sentence.stems.filter(stem => !/\p{N}/u.test(stem)).length < 2
        ? quotedFrom(telling, 160)
        : quoted(telling.sentence, 160);
    // Both agreed to a day and an hour, but the quoted words may still read like a question.
    const isAgreed = task.kind === 'proposal' && task.when?.time && telling.sentence.utterance.addressee !== null;
    const other = telling.sentence.utterance.fromUser ? telling.sentence.utterance.addressee : speaker;
    if (isAgreed && other) return phrase(pack.code, 'meets', { who: other, quote });
    const report = telling.sentence.isQuestion ? null : reported(telling);
    if (report) return capitalized(report);
    const context = deed === null && isOnlyDay(telling) ? contextOf(task, turns) : null;
    const behind = context && context !== telling ? ` (${quotedBeside(context, 100)})` : '';
    return `${phrase(pack.code, 'says', { who: speaker, quote })}${behind}`;
  }
  const undated = withoutDay(withoutDay(withDay(deed.toDo, task.deedWhen, task.when), task.when), task.deedWhen);
  const words = capitalized(first.lexicon.code === 'en' ? withTaskWeekdays(undated, task) : undated);
  if (!deed.isVague && !deed.pointsBack) return words;
  // "I'll give it to him": without a day, what the other side does anyway tells the user nothing.
  const context = contextOf(task, turns) ?? tellingMost(task.readings);
  const isReply = first.lexicon.code !== 'en' && context?.sentence.utterance.speaker !== asker.name;
  const isTheirs = task.kind === 'promise' && !task.doer?.isUser && !task.when && !isReply;
  if (isTheirs && (deed.isVague || AT_ONCE.test(deed.toDo))) return null;
  const isTakenUp = task.readings.some(
    ({ sentence }) => sentence.utterance.speaker !== first.sentence.utterance.speaker,
  );
  if (context && (context !== first || isTakenUp)) return `${words} (${quotedBeside(context, 100)})`;
  // Its own words tell as much as the task, and all that is known.
  if (context || task.when) return phrase(pack.code, 'says', { who: first.sentence.utterance.speaker, quote: said });
  return null;
}

/** The sentence that says the most about it; null if even that says next to nothing. */
function tellingMost(readings: Reading[]): Reading | null {
  const [most] = readings.toSorted((one, other) => other.sentence.stems.length - one.sentence.stems.length);
  return most && most.sentence.stems.length >= 2 ? most : null;
}
