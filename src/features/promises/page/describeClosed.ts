import { isolateName } from '../../../lib/textDirection.ts';
import { localDay } from '../../../lib/timezones.ts';
import { dayWords } from '../../../lib/words.ts';
import { wordsInLine } from '../../digests/describeWords.ts';
import { messageAddresses, nameOf } from '../../messenger/dialogs/rules.ts';
import { closedWords, momentClosed } from './closedWords.ts';
import { type MaybeSourced, momentOf, peerOf, quotedWords } from './describeRow.ts';

/** A settled promise, or one that may have been kept, as `views/shared/promise/_closed` prints it, with what that rests on. */
export function describeClosed(promise: MaybeSourced, where: { now: Date; timezone: string }) {
  const { id, state, reason, isDoubtful, evidence, changedBy, changedAt, canUndo, dueDate } = promise;
  const isKept = state === 'done';
  const isOnDay = reason === 'kept' && localDay(momentClosed(promise), where.timezone) === dueDate;
  const replacement = reason === 'replaced' && promise.replacedByWords ? promise.replacedByWords : '';
  return {
    id,
    words: wordsInLine(promise),
    isKept,
    isPlainlyKept: reason === 'kept',
    isDoubtful,
    what: isOnDay ? 'Kept on the day' : closedWords(promise),
    replacement: replacement && isolateName(replacement, nameOf(promise)),
    evidence:
      evidence && !replacement
        ? {
            who: evidence.who,
            when: momentOf(evidence.when, where),
            quote: quotedWords(evidence),
            links: messageAddresses(peerOf(promise), evidence.messageIds),
          }
        : null,
    // A decision of the person is its own evidence.
    by: evidence
      ? ''
      : `${changedBy === 'automatic' ? 'Closed automatically' : 'By you'}, ${dayWords(changedAt, where)}`,
    action: canUndo ? 'undo' : 'reopen',
  };
}
