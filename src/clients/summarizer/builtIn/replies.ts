import { opensDone, type Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import type { Person, Task } from './tasks.ts';
import type { Move, Reading } from './types.ts';
import type { When } from './when.ts';

/** Whether the stem belongs to a word that names the day. */
export function isOfDay(stem: string, when: When | null): boolean {
  return when?.words.toLowerCase().includes(stem) ?? false;
}

/** "You'll have it by Monday": it doesn't say what. */
export function isOnlyDay({ sentence, when }: Reading): boolean {
  return sentence.stems.every(stem => isOfDay(stem, when));
}

/** On another day, only a yes or a word of what was asked makes a reply; anything else begins something new. */
export function mayAnswer(task: Task, reading: Reading): boolean {
  return isOnSameDay(task, reading) || reading.accepts || isAbout(task.stems, reading.sentence.stems);
}

/** Whether it was said on the day on which the task was last mentioned. */
export function isOnSameDay({ readings }: Task, { sentence }: Reading): boolean {
  return readings.at(-1)?.sentence.utterance.day === sentence.utterance.day;
}

/** "One way.", "Always.": hardly any content, but no mere courtesy. */
export function isBriefAnswer({ sentence, folded, lexicon }: Reading): boolean {
  return sentence.words.length > 1 && !lexicon.acts.smallTalk.test(folded);
}

/** An answer counts for all questions of one message, because there is no telling which one it is for. */
export function isAskedWith(task: Task, other: Task): boolean {
  const isSame = other.kind === 'question' && other.state === 'open' && task.kind === 'question';
  return other === task || (isSame && other.firstTurn === task.firstTurn);
}

/** A message in quotation marks is the text that someone had to write. */
export function isWording({ sentences: [first] }: Turn['utterance']): boolean {
  return first !== undefined && first.words.length > 5 && /^["“„«]/u.test(first.text);
}

/** "Could you perhaps send it?" is polite, not vague. */
export function isTooVague({ isVague, sentence }: Reading, { act, deed, when }: Move): boolean {
  const isPolite = act === 'request' && sentence.isQuestion && deed?.isVague === false;
  return isVague && !when && !isPolite;
}

/** How much less certain a task is that doesn't name its object: "can you upload it?" at least means some thing. */
export function doubtOf({ deed }: Move, { lexicon, sentence }: Reading): number {
  if (!deed?.isVague) return 0;
  const isThing = lexicon.hasTagger && sentence.isQuestion && deed.pointsBack && !deed.words.startsWith('do ');
  return isThing ? 0.15 : 0.25;
}

/** The stems of what is to be done, where they can be told from the rest of the sentence; else all but its day's. */
export function stemsOf({ deed, when }: Move, { sentence }: Reading): string[] {
  const words = deed?.words.toLowerCase() ?? '';
  // "I'll send it on Monday" is the same as "I'll send it on Thursday": the day names no thing.
  const stems = sentence.stems.filter(stem => !isOfDay(stem, when));
  const own = stems.filter(stem => words.includes(stem));
  return own.length > 0 ? own : stems;
}

const CHECKS_FIRST =
  /(?<!\p{L})(?:(?:have|need|got) to|must|let me|i'll|will|should) (?:first )?(?:check|ask|confirm)(?!\p{L})/u;

/** "The 21st could work, but I have to check": only the check is left to do, and nothing is agreed. English only. */
export function settleUnsure(tasks: Task[], { readings, index }: Turn): void {
  if (!readings.some(({ tokens, folded }) => tokens && CHECKS_FIRST.test(folded))) return;
  for (const task of tasks) {
    if (task.kind === 'proposal' && task.state === 'open' && task.lastTurn === index)
      Object.assign(task, { state: 'answered', outcome: task.readings.at(-1) ?? null });
  }
}

/** "Sent it": a longer sentence is only about what it names. English uses the tagger instead. */
export function isOnlyDone({ sentence, lexicon }: Reading): boolean {
  return lexicon.hasTagger || sentence.words.length <= 6 || opensDone(sentence, lexicon);
}

/** "Not tomorrow" refuses, "no, on Friday" proposes. */
export function namesOtherDay({ when }: Task, reading: Reading): boolean {
  return reading.when !== null && reading.when.date !== when?.date;
}

/** "Spoken to the driver. Monday it is", "it's at home. I'll send it tonight": the answer proper is still to come. */
export function answersNext({ kind }: Task, { index }: Reading, { readings }: Turn): boolean {
  const later = readings.filter(other => other.index > index);
  if (kind === 'proposal') return later.some(({ accepts, when }) => accepts && when !== null);
  return (
    kind === 'request' &&
    later.some(({ moves, lexicon }) => lexicon.hasTagger && moves.some(({ act }) => act === 'promise'))
  );
}

/** For this many turns after a promise, "got it" means what was promised. */
const RECEIVED_NEAR = 3;

/** Settles what the other side had to hand over and this reply says has arrived. */
export function settleReceived(tasks: Task[], reading: Reading, turn: Turn, speaker: Person): void {
  const { received, negation } = reading.lexicon.acts;
  const { folded, sentence } = reading;
  if (sentence.isQuestion || !received.test(folded) || negation.test(folded)) return;
  // "What about the letter?" – "I received it": this answers the question, and isn't about something promised.
  const isAsked = tasks.some(
    ({ kind, state, asker, lastTurn }) =>
      kind === 'question' && state === 'open' && asker.name !== speaker.name && lastTurn === turn.index - 1,
  );
  if (isAsked) return;
  const task = tasks.findLast(
    ({ state, kind, doer, lastTurn }) =>
      state === 'open' &&
      (kind === 'promise' || kind === 'request') &&
      doer !== null &&
      doer.name !== speaker.name &&
      turn.index - lastTurn <= RECEIVED_NEAR,
  );
  if (task) Object.assign(task, { state: 'done', outcome: reading });
}

const ASKED_OF = /^(?:ring|call|phone|ask|text|chase|message|email|try|contact) (?:the )?(\p{L}{2,30})$/iu;

/** "I'll ring Barry" – "Barry can't do it till Friday": whoever reports the outcome has asked. English only. */
export function settleAsked(tasks: Task[], reading: Reading, speaker: Person): void {
  const { folded, sentence, lexicon } = reading;
  if (!lexicon.hasTagger || sentence.isQuestion) return;
  for (const task of tasks) {
    const [, asked] = ASKED_OF.exec(task.deed?.words ?? '') ?? [];
    if (!asked || task.state !== 'open' || task.doer?.name !== speaker.name || !isOnSameDay(task, reading)) continue;
    if (TELLS_OF.test(folded) && folded.replace(/^the /u, '').startsWith(`${asked.toLowerCase()} `))
      Object.assign(task, { state: 'answered', outcome: reading });
  }
}

const TELLS_OF =
  /^(?:the )?\p{L}{2,30} (?:can|could|will|would|has|had|is|was|says?|said|doesn't|does|didn't|did|wants?|needs?)(?:n't)?(?!\p{L})/u;
