import type { Conversation } from '../conversation.ts';
import { isCalled, type Person, type Task } from './tasks.ts';

/**
 * In a group, whether someone has a say in a task: anyone as long as no one in particular owes it, then who owes it,
 * whom it was promised to, and the user.
 */
export function hasSay(task: Task, speaker: Person, conversation: Conversation): boolean {
  const { doer, asker, readings } = task;
  if (speaker.isUser || !isOwed(task) || [doer?.name, asker.name].includes(speaker.name)) return true;
  const own = readings.filter(({ sentence }) => [doer?.name, asker.name].includes(sentence.utterance.speaker));
  const isNamed = (name: string) => own.some(reading => isCalled(name, reading));
  if (isNamed(speaker.name)) return true;
  const isToOther = conversation.speakers.some(name => name !== doer?.name && isNamed(name));
  return doer?.name === asker.name && !isToOther && spokenTo(task, conversation) === speaker.name;
}

/** "Will do", or asked of someone by name. */
function isOwed({ kind, doer, isAccepted, readings }: Task): boolean {
  return doer !== null && (kind === 'promise' || isAccepted || isCalled(doer.name, readings[0]));
}

/** Whose message it answers, else who spoke before. */
function spokenTo({ readings: [first] }: Task, { utterances }: Conversation): string | undefined {
  if (!first) return undefined;
  const { utterance } = first.sentence;
  const replied = utterances.find(({ messageId }) => messageId === utterance.replyTo);
  const before = utterances.slice(0, utterances.indexOf(utterance));
  return (replied ?? before.findLast(({ speaker }) => speaker !== utterance.speaker))?.speaker;
}

/** Puts back the tasks in which this speaker has no say as they are now. */
export function keepFrom(tasks: readonly Task[], speaker: Person, conversation: Conversation): () => void {
  const others = conversation.isGroup ? tasks.filter(task => !hasSay(task, speaker, conversation)) : [];
  const kept = others.map(task => ({ ...task, readings: [...task.readings], stems: new Set(task.stems) }));
  return () => {
    for (const [at, task] of others.entries()) Object.assign(task, kept[at]);
  };
}
