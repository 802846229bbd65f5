import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** Told to have ready or to bear in mind: nobody waits for a word about it. */
const INSTRUCTED = /^(?:bring|wear|take|remember|keep|have|mind|use|enjoy)(?!\p{L})/u;

/**
 * Whether the other side asked something of the user since the user last wrote, and an answer is expected: an earlier question was
 * answered, or let go. News, thanks and instructions wait for nothing.
 */
export function isWaiting(tasks: Task[], turns: Turn[]): boolean {
  const lastByUser = turns.findLastIndex(({ utterance }) => utterance.fromUser);
  const after = turns.slice(lastByUser + 1).filter(({ utterance }) => !utterance.forwarded);
  const said = after.flatMap(({ readings }) => readings);
  if (said.some(({ lexicon, folded }) => lexicon.acts.noReply.test(folded))) return false;
  const isPressed = said.some(asksAgain) && new Set(turns.map(({ utterance }) => utterance.speaker)).size <= 2;
  return isPressed || asksWhatIsWrong(said) || tasks.some(task => isAskedOfUser(task, lastByUser));
}

function isAskedOfUser({ kind, state, asker, doer, deed, isAccepted, readings, lastTurn }: Task, lastByUser: number) {
  if (state !== 'open' || isAccepted || lastTurn <= lastByUser || !doer?.isUser) return false;
  const isInstruction =
    kind === 'request' && deed !== null && INSTRUCTED.test(deed.toDo) && !readings[0]?.sentence.isQuestion;
  if (kind !== 'promise' && !asker.isUser) return !isInstruction;
  // Somebody asked once more for what the user owes.
  const last = readings.at(-1);
  return last !== undefined && !last.sentence.utterance.fromUser && (last.sentence.isQuestion || asksAgain(last));
}

const asksAgain = ({ lexicon, folded }: Reading) => lexicon.acts.asksAgain.test(folded);

/** "The shop is down. What is going on?": a question with nothing in it is about what was said right before. */
function asksWhatIsWrong(said: Reading[]): boolean {
  return said.some(
    ({ sentence, lexicon, folded }, at) =>
      sentence.isQuestion &&
      sentence.stems.length <= 1 &&
      !lexicon.acts.smallTalk.test(folded) &&
      said
        .slice(Math.max(0, at - 2), at)
        .some(
          before => before.lexicon.acts.outage.test(before.folded) || before.lexicon.acts.negative.test(before.folded),
        ),
  );
}
