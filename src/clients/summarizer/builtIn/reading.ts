import { inSteps } from '../../../lib/inSteps.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import { everywhere } from '../languages/compile.ts';
import { type Lexicon, lexiconOf } from '../languages/lexicon.ts';
import { LONGEST_SENTENCE } from '../sentences.ts';
import { isUnspaced } from '../words.ts';
import { hourOf } from './hours.ts';
import { readByTable } from './table/readByTable.ts';
import { tellsOfPast } from './table/verbs.ts';
import type { Reading } from './types.ts';
import { type When, whenOf } from './when.ts';

/** A message with its sentences read. */
export type Turn = {
  utterance: Utterance;
  index: number;
  lexicon: Lexicon;
  readings: Reading[];
  /** The index of the last turn of its speaker before someone else spoke; -1 for none. */
  spokeBefore: number;
};

export async function readTurns(conversation: Conversation): Promise<Turn[]> {
  const nextStep = inSteps();
  const turns: Turn[] = [];
  let index = 0;
  for (const [at, utterance] of conversation.utterances.entries()) {
    await nextStep();
    const lexicon = lexiconOf(utterance.pack.code);
    const readings = utterance.sentences.map(sentence =>
      readSentence({ sentence, index: index++ }, lexicon, conversation),
    );
    turns.push({ utterance, index: at, lexicon, readings, spokeBefore: spokeBefore(turns, utterance.speaker) });
  }
  return turns;
}

function spokeBefore(turns: Turn[], speaker: string): number {
  const other = turns.findLastIndex(({ utterance }) => utterance.speaker !== speaker);
  return turns.findLastIndex(({ utterance }, index) => index < other && utterance.speaker === speaker);
}

type Heard = { sentence: Sentence; index: number };

function readSentence({ sentence, index }: Heard, lexicon: Lexicon, conversation: Conversation): Reading {
  const { acts, code } = lexicon;
  const { utterance } = sentence;
  const respelled = respell(sentence.text, lexicon);
  // Short forms may be written out to several times their length.
  const spelled = respelled.slice(0, 2 * LONGEST_SENTENCE);
  const folded = fold(spelled, code);
  const isPast = tellsOfPast(sentence, lexicon);
  // "I sent it on Friday" names no day to come.
  const whenIn = (text: string) => whenOf(sentence, text, lexicon, conversation.timezone);
  const when = isPast ? null : (proposedInstead(folded, spelled, lexicon, whenIn) ?? whenIn(spelled));
  // Where the sentence names no day, none of its parts does.
  const dayIn = (part: string) => (when === null ? null : whenIn(part));
  // "When you have time" and "if possible" are courtesies.
  const unsoftened = folded.replaceAll(everywhere(acts.softens), ' ').replaceAll(everywhere(acts.noHurry), ' ');
  const isConditional = acts.condition.test(withoutConsequence(unsoftened, acts));
  const isMoment = acts.moment.test(unsoftened) && when === null;
  const mayBind = !utterance.forwarded && !isConditional;
  const readAs = (said: Sentence) => (mayBind ? readByTable(said, spelled, lexicon, dayIn) : []);
  const asked = readAs(sentence);
  const isTagged = sentence.isQuestion && (acts.tag.exec(folded.replace(/\?{1,9}$/, ''))?.index ?? 0) > 0;
  // "I'll send it on Friday, ok?" is a promise despite its question mark.
  const isTold = asked.length === 0 && isTagged && !acts.question.test(folded);
  const read = isTold ? readAs({ ...sentence, isQuestion: false }) : asked;
  const reply = replyOf(folded, acts);
  const moves = isMoment ? [] : read;
  return {
    sentence,
    lexicon,
    index,
    folded,
    when,
    hour: isPast || (when && !when.isHour) ? null : hourAlone(folded, sentence, lexicon),
    slots:
      (sentence.isQuestion || acts.proposes.test(folded)) && when !== null ? slotsIn(spelled, lexicon, whenIn) : [],
    moves,
    ...reply,
    accepts: reply.accepts || NOD.test(sentence.text),
    isDone:
      !isConditional &&
      (isPast ||
        opensDone(sentence, lexicon) ||
        acts.done.test(beforeQuestion(folded, sentence.isQuestion)) ||
        sentence.text.includes('✅')) &&
      (opensDone(sentence, lexicon) || !isToCome(when, utterance.day)),
    isMoment,
    isVague: acts.vague.test(unsoftened),
    isConditional,
    isJoke: SMILES.test(sentence.text) || acts.laughs.test(folded),
    proposes: acts.proposes.test(folded),
    isTagged,
    isMeeting: acts.meeting.test(folded),
    isSmallTalk: isSmallTalk(sentence, folded, lexicon, conversation.names.words),
  };
}

/** "Make it 8 am"; a bare "at 8" must be all that a sentence says. */
function hourAlone(folded: string, { stems }: Sentence, lexicon: Lexicon): string | null {
  const hour = hourOf(folded, lexicon);
  const isBrief = stems.filter(stem => !/\d/.test(stem)).length <= 1;
  return hour && (hour.isSure || isBrief) ? hour.time : null;
}

const MOST_SLOTS = 4;

/** "Thursday the 15th, or Monday the 19th?" */
function slotsIn(spelled: string, { calendar }: Lexicon, whenIn: (text: string) => When | null): When[] {
  const parts = spelled
    .split(everywhere(calendar.either))
    .flatMap(part => part.split(', '))
    .slice(0, MOST_SLOTS);
  return parts.length > 1 ? parts.flatMap(part => whenIn(part) ?? []) : [];
}

/** "Friday is bad, how about Monday?": the day that is proposed. */
function proposedInstead(
  folded: string,
  spelled: string,
  { acts }: Lexicon,
  whenIn: (text: string) => When | null,
): When | null {
  const [comma, at] = [folded.lastIndexOf(','), spelled.lastIndexOf(',')];
  if (comma < 0 || at < 0) return null;
  const isInstead = acts.proposes.test(folded.slice(comma + 1)) || acts.refuses.test(folded);
  const later = isInstead ? whenIn(spelled.slice(at + 1)) : null;
  return later && !later.isHour && whenIn(spelled.slice(0, at)) ? later : null;
}

/**
 * Whether a reply says yes and whether it says no. What comes first counts or, at the same place, the longer one: "no
 * problem" is a yes, "geht leider nicht" and "не могу" are a no. A no may still follow a yes.
 */
function replyOf(reply: string, acts: Lexicon['acts']): Pick<Reading, 'accepts' | 'refuses'> {
  const [yes, no] = [acts.accepts.exec(reply), acts.refuses.exec(reply)];
  if (!yes || !no || yes.index < no.index) return { accepts: yes !== null, refuses: no !== null };
  // "No, problem is …"
  const isYes = yes.index === no.index && yes[0].length > no[0].length && !yes[0].includes(',');
  return { accepts: isYes, refuses: !isYes || acts.refuses.test(reply.slice(yes.index + yes[0].length)) };
}

const LONGEST_DONE = 5;

/** "Sent, they answer tomorrow": the day in another clause doesn't undo the "sent". */
export function opensDone(sentence: Sentence, lexicon: Lexicon): boolean {
  const [opening = '', more] = sentence.folded.split(',');
  const words = opening.split(' ');
  return more !== undefined && words.length <= LONGEST_DONE && tellsOfPast({ ...sentence, words }, lexicon);
}

/** "It's sent, can you check?": the part before the question is a statement. */
function beforeQuestion(folded: string, isQuestion: boolean): string {
  return isQuestion ? folded.slice(0, Math.max(0, folded.lastIndexOf(','))) : folded;
}

/** What is said about a future day is not done yet. */
function isToCome(when: When | null, day: string): boolean {
  return when !== null && !when.isHour && when.date > day;
}

/** "We need it by noon, otherwise the slot is gone" is not conditional. */
function withoutConsequence(folded: string, { consequence }: Lexicon['acts']): string {
  const at = consequence.exec(folded)?.index ?? 0;
  return /(?:[,;:–—-] ?| )$/u.test(folded.slice(0, at)) && folded.slice(0, at).trim().includes(' ')
    ? folded.slice(0, at)
    : folded;
}

const SMILES = /[\u{1F602}\u{1F923}\u{1F60E}\u{1F61C}\u{1F643}]/u;

function respell(text: string, { spelling }: Lexicon): string {
  return text.replaceAll(/(?<![\p{L}\p{N}'-])[\p{L}\d]{1,14}(?![\p{L}\p{N}'@-])/gu, (word, at: number) => {
    const key = word.toLowerCase();
    // "Room R" is no "are".
    if (at > 0 && /^\p{Lu}$/u.test(word)) return word;
    return Object.hasOwn(spelling, key) ? (spelling[key] ?? word) : word;
  });
}

/** A thumbs-up, or just "+" or "+1". */
const NOD = /^\P{L}*[\u{1F44D}\u{1F44C}\u{1F91D}\u{2705}]|^\s*\+{1,3}1?\s*$/u;

/** The most letters of a name with its title, in scripts that put no spaces between words. */
const LONGEST_CALL = 7;

/** Nothing is left of it without its greetings, thanks and yeses. */
function isSmallTalk(
  { stems: all, words, isQuestion }: Sentence,
  folded: string,
  { acts }: Lexicon,
  names: ReadonlySet<string>,
): boolean {
  const stems = all.filter(stem => ![...names].some(name => name.startsWith(stem)));
  if (stems.length === 0) return true;
  const rest = folded.replaceAll(everywhere(acts.smallTalk), ' ');
  if (isUnspaced(folded)) return rest !== folded && (rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0) <= LONGEST_CALL;
  if (words.length > 8) return false;
  if (!/[\p{L}\p{N}]/u.test(rest)) return true;
  return rest !== folded && stems.length <= 1 && rest.trim().split(/\s+/).length <= (isQuestion ? 1 : 2);
}
