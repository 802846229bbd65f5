import { CLOSING_TRANSITIONS, TRANSITIONS } from '../rules.ts';
import { hasValidDay } from './rules.ts';
import type { Closing, StoredPromise } from './schema.ts';

const MAX_EVIDENCE_MESSAGES = 50;

/** The promises that these closings change, one after the other, as changed: closed, moved or doubtful. */
export function closePromises(known: readonly StoredPromise[], closings: readonly Closing[], now: Date): StoredPromise[] {
  return known.flatMap(promise => {
    const changed = closings
      .filter(({ promiseId }) => promiseId === promise.id)
      .reduce((one, closing) => (mayApplyClosing(one, closing) ? applyClosing(closing, one, now) : one), promise);
    return changed === promise ? [] : [changed];
  });
}

/**
 * Whether a closing may change the promise: not if the user decided about it, or undid what these messages said. Whether their
 * author may close it was checked before, by `createClosingAuthority`.
 */
function mayApplyClosing(promise: StoredPromise, closing: Closing): boolean {
  const { state, evidence } = closing;
  if (promise.state !== 'open' || promise.isUserDecided || !hasValidDay(closing)) return false;
  if (state === 'moved' && promise.edited.includes('due')) return false;
  if (promise.undoneMessageIds.some(id => evidence.messageIds.includes(id))) return false;
  return !isAskedAgain(promise, closing) || (promise.evidence !== null && evidence.when > promise.evidence.when);
}

const isAskedAgain = ({ isDoubtful }: StoredPromise, { state }: Closing) => isDoubtful && state === 'doubtful';

function applyClosing(closing: Closing, promise: StoredPromise, now: Date): StoredPromise {
  const { state, evidence } = closing;
  const changed: StoredPromise = {
    ...promise,
    state: TRANSITIONS[CLOSING_TRANSITIONS[state]].to,
    reason: findReason(closing),
    replacedBy: null,
    isDoubtful: state === 'doubtful',
    changedBy: 'automatic',
    changedAt: now,
    evidence,
    previous: promise.replaces,
  };
  if (state === 'moved') return { ...changed, movedFrom: promise.dueDate, dueDate: closing.newDueDate, dueTime: null };
  if (!isAskedAgain(promise, closing)) return changed;
  // A question shows the newest message, and one undo takes it back, whatever messages it rested on.
  const messageIds = [...(promise.evidence?.messageIds ?? []), ...evidence.messageIds].slice(-MAX_EVIDENCE_MESSAGES);
  return { ...changed, evidence: { ...evidence, messageIds }, previous: promise.previous };
}

function findReason({ state, isAnswered }: Closing): StoredPromise['reason'] {
  if (state === 'handedOver') return 'handedOver';
  return state === 'done' && isAnswered ? 'answered' : null;
}
