import { type Conversation, DAY } from '../conversation.ts';
import { type Commitment, isOfferAsked } from './commitments.ts';
import type { Turn } from './reading.ts';

const STALE = 3 * DAY;
/** How certain it must be that something is left to do, on the last day and on days before it. */
const SURE = 0.5;
const FIRM = 0.8;
/** After this many turns with content, whoever was asked has moved on to other things. */
const GONE_ON = 3;

/** Whether something is still left to do at the end of what was read. */
export function isStillOpen(
  commitment: Commitment,
  commitments: Commitment[],
  turns: Turn[],
  conversation: Conversation,
): boolean {
  return isOpen(commitment, commitments) && isCurrent(commitment, turns, conversation);
}

function isOpen(commitment: Commitment, commitments: Commitment[]): boolean {
  if (commitment.state !== 'open') return false;
  const [first] = commitment.readings;
  if (!first) return false;
  if (commitment.isForAll) return !commitments.some(other => other !== commitment && other.readings[0] === first);
  if (commitment.kind === 'offer')
    return (commitment.isAccepted && commitment.strength >= SURE) || isOfferAsked(commitment);
  if (commitment.kind === 'question') return first.sentence.stems.length > 0 && commitment.strength >= SURE;
  return commitment.strength >= SURE;
}

/**
 * On the last day, everything open is. Of earlier days, only what was firmly promised or asked for with a day to come,
 * or after which its doer has not written: the rest was mostly settled in ways that words don't show.
 */
function isCurrent(commitment: Commitment, turns: Turn[], { utterances }: Conversation): boolean {
  const { when, readings, kind, isAccepted, strength } = commitment;
  const [last, said] = [utterances.at(-1), readings.at(-1)?.sentence.utterance];
  if (!last || !said) return true;
  const isAsked = kind === 'question' || (kind === 'proposal' && !isAccepted) || isOfferAsked(commitment);
  const since = turnsSince(commitment, turns).length;
  if (when && kind !== 'question' && when.date < last.day) return false;
  if (said.day === last.day) return !isAsked || since < GONE_ON;
  const isRecent = last.sentAt.getTime() - said.sentAt.getTime() <= STALE;
  if (isAsked) return since === 0 && isRecent;
  // Whoever had to act by now and has written since has usually acted, or said why not.
  if (when && turnsSince(commitment, turns).some(({ utterance }) => utterance.day >= when.date)) return false;
  return strength >= FIRM && (when !== null || (since === 0 && isRecent));
}

/** The turns with content, by whoever has to act, since the commitment was last mentioned. */
function turnsSince(commitment: Commitment, turns: Turn[]): Turn[] {
  const { asker, lastTurn } = commitment;
  const doer = isOfferAsked(commitment) ? null : commitment.doer;
  const isTheirs = ({ speaker }: Turn['utterance']) => (doer ? speaker === doer.name : speaker !== asker.name);
  return turns
    .slice(lastTurn + 1)
    .filter(({ utterance, readings }) => isTheirs(utterance) && readings.some(({ isSmallTalk }) => !isSmallTalk));
}
