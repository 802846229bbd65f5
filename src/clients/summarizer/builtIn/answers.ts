import { isSecret } from '../masking/mask.ts';
import { withoutSays } from './english/reported.ts';
import type { FactScope } from './fact.ts';
import { isYesOrNo, phrase, quotedAll, quotedAnswer } from './phrases.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import { codeOf, readingsOf, reported, reportedAll } from './telling.ts';
import { asSentence, withoutGreeting } from './text.ts';
import type { Reading } from './types.ts';

/** A question of at most this many words is about the sentence before it: "Can you connect us?" */
const SHORT = 6;

export function asked({ asker, doer }: Task, questions: Reading[], { limit, turns, isOpen }: FactScope): string {
  const [first, ...others] = questions as [Reading, ...Reading[]];
  const before = !isOpen && first.sentence.words.length <= SHORT ? statementBefore(first, turns) : undefined;
  const report = toldQuestions(questions);
  if (report) return [before && reportedAll([before]), report].filter(Boolean).join(' ');
  const all = before ? [before, first, ...others] : questions;
  const quote = quotedAll(
    (all[0] as Reading).sentence,
    all.slice(1).map(({ sentence }) => sentence),
    limit,
  );
  // "May I come on Friday?" is for the speaker to do, but for the other to answer.
  const to = doer?.name === asker.name ? first.sentence.utterance.addressee : (doer?.name ?? null);
  const isAsking = to !== null && (first.sentence.isQuestion || codeOf(first) === 'en');
  return phrase(codeOf(first), isAsking ? 'asks' : 'says', { who: asker.name, to, quote });
}

function statementBefore(question: Reading, turns: Turn[]): Reading | undefined {
  const before = readingsOf(question, turns).find(({ index }) => index === question.index - 1);
  const saysMuch = before && before.sentence.stems.length >= 3 && !before.sentence.isQuestion;
  return saysMuch && !isSecret(before.sentence.text) ? before : undefined;
}

/** The question and its answer, side by side. */
export function withReply(task: Task, first: Reading, scope: FactScope): string {
  const { limit, turns } = scope;
  const { speaker } = first.sentence.utterance;
  const answer = task.outcome ?? task.readings.findLast(({ sentence }) => sentence.utterance.speaker !== speaker);
  const questions = readingsOf(first, turns).filter(({ sentence }) => sentence.isQuestion);
  const question = asked(task, questions.length > 1 ? questions : [first], scope);
  if (!answer) return question;
  return `${question} ${replied(answer, turns, limit)}`;
}

export function replied(answer: Reading, turns: Turn[], limit: number): string {
  const quote = quotedAnswer(answer, limit);
  const { speaker } = answer.sentence.utterance;
  return toldAnswer(answerParts(answer, turns)) ?? phrase(codeOf(answer), 'answers', { who: speaker, quote });
}

/** An answer with the yes or no that its message begins with, and what its message says next. */
function answerParts(answer: Reading, turns: Turn[]): Reading[] {
  const all = readingsOf(answer, turns);
  const opening = all[0] && isYesOrNo(all[0]) ? 0 : all.indexOf(answer);
  return all
    .slice(opening, opening + 3)
    .filter((reading, at) => at === 0 || (!reading.isSmallTalk && !reading.sentence.isQuestion));
}

/** "Farid asks when Lena needs it back."; null if a question with content can't be reported. */
function toldQuestions(questions: Reading[]): string | null {
  const reports = questions
    .filter(({ isSmallTalk }) => !isSmallTalk)
    .map(question => reported(question) ?? (question.sentence.stems.length > 1 ? null : ''));
  if (reports.includes(null)) return null;
  const [first, ...others] = reports.filter(report => report !== '') as string[];
  if (!first) return null;
  const { speaker, addressee } = (questions[0] as Reading).sentence.utterance;
  const lead = `${speaker} asks ${addressee === null ? '' : `${addressee} `}`;
  const further = others.map(report => (report.startsWith(lead) ? ` and ${report.slice(lead.length)}` : `. ${report}`));
  return asSentence(`${first}${further.join('')}`);
}

const YES = /^\P{L}*(?:yes|yeah|yep|sure|of course|certainly|absolutely|with pleasure|gladly)(?!\p{L})/u;
const NO = /^\P{L}*(?:no|nope|nah|not at all|not really|unfortunately not)(?!\p{L})/u;

/** "Lena says yes. Lena introduces Marcus to the lawyer."; null where the answer is better quoted. */
function toldAnswer(parts: Reading[]): string | null {
  const [first, ...others] = parts;
  if (!first?.tokens) return null;
  const { speaker } = first.sentence.utterance;
  const opening = withoutGreeting(first.folded);
  // "No problem" is a yes.
  const isYes = YES.test(opening) || (NO.test(opening) && first.accepts && !first.refuses);
  const word = isYes ? 'yes' : NO.test(opening) ? 'no' : null;
  if (word === null) return reported(first) === null ? null : reportedAll(parts);
  const all = reported(first, false);
  const rest = all && withoutSays(all, speaker);
  const more = others.length > 0 ? reportedAll(others) : null;
  if (rest === null && first.sentence.words.length > 2 && first.sentence.stems.length > 1) return null;
  if (others.length > 0 && more === null) return null;
  const further = rest ? `${rest}.` : more && withoutSays(more, speaker);
  const behind = rest ? more : null;
  return [saidWith(speaker, word, further), behind].filter(Boolean).join(' ');
}

/** "Lena says yes and introduces Marcus.", "Lena says no. The room is taken." */
function saidWith(speaker: string, word: string, further: string | null): string {
  const lead = `${speaker} says ${word}`;
  // "Yes. Yes, three times." is told with a single yes.
  const more = further && asSentence(further.replace(/^(?:yes|yeah|yep|no|nope)(?:[,.!]|(?= \d)) ?/iu, '').trimStart());
  return more ? withFurther(lead, more, speaker) : `${lead}.`;
}

function withFurther(lead: string, further: string, speaker: string): string {
  if (further.startsWith(`${speaker}: `)) return `${lead}. ${further}`;
  const isOwn = further.startsWith(`${speaker} `);
  return isOwn ? `${lead} and ${further.slice(speaker.length + 1)}` : `${lead}. ${asSentence(further)}`;
}
