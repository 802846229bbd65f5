import type { Conversation } from '../conversation.ts';
import { type Commitment, isCalled, type Person } from './commitments.ts';

/**
 * In a group, whether someone has a say in a commitment: anyone as long as no one in particular owes it, then who owes
 * it, whom it was promised to, and the user.
 */
export function hasSay(commitment: Commitment, speaker: Person, conversation: Conversation): boolean {
  const { doer, asker, readings } = commitment;
  if (speaker.isUser || !isOwed(commitment) || [doer?.name, asker.name].includes(speaker.name)) return true;
  const own = readings.filter(({ sentence }) => [doer?.name, asker.name].includes(sentence.utterance.speaker));
  const isNamed = (name: string) => own.some(reading => isCalled(name, reading));
  if (isNamed(speaker.name)) return true;
  const isToOther = conversation.speakers.some(name => name !== doer?.name && isNamed(name));
  return doer?.name === asker.name && !isToOther && spokenTo(commitment, conversation) === speaker.name;
}

/** "Will do", or asked of someone by name. */
function isOwed({ kind, doer, isAccepted, readings }: Commitment): boolean {
  return doer !== null && (kind === 'promise' || isAccepted || isCalled(doer.name, readings[0]));
}

/** Whose message it answers, else who spoke before. */
function spokenTo({ readings: [first] }: Commitment, { utterances }: Conversation): string | undefined {
  if (!first) return undefined;
  const { utterance } = first.sentence;
  const replied = utterances.find(({ messageId }) => messageId === utterance.replyTo);
  const before = utterances.slice(0, utterances.indexOf(utterance));
  return (replied ?? before.findLast(({ speaker }) => speaker !== utterance.speaker))?.speaker;
}

/** Puts back the commitments in which this speaker has no say as they are now. */
export function keepFrom(commitments: readonly Commitment[], speaker: Person, conversation: Conversation): () => void {
  const others = conversation.isGroup
    ? commitments.filter(commitment => !hasSay(commitment, speaker, conversation))
    : [];
  const kept = others.map(commitment => ({
    ...commitment,
    readings: [...commitment.readings],
    stems: new Set(commitment.stems),
  }));
  return () => {
    for (const [at, commitment] of others.entries()) Object.assign(commitment, kept[at]);
  };
}
