import { createHash } from 'node:crypto';
import { shorten } from './cleaning.ts';
import type { Conversation, Sentence, Utterance } from './conversation.ts';
import { findDay, type NamedDay } from './dueDates.ts';
import { withoutOpening } from './openings.ts';
import { isSmallTalk } from './ranking.ts';
import type { ActionItem } from './types.ts';

const MOST = 12;
const LONGEST = 200;

type Kind = 'promise' | 'request' | 'question';

/** Something left to do, before it is known whether the day went on to settle it. */
type Candidate = { kind: Kind; sentence: Sentence; index: number; day: NamedDay | null; sources: Set<string> };

/** Promises made, things asked for and questions without an answer at the end of the day, the dated ones first. */
export function findActionItems(conversation: Conversation): ActionItem[] {
  const open: Candidate[] = [];
  for (const [index, utterance] of conversation.utterances.entries()) {
    settle(open, utterance, conversation);
    if (!utterance.forwarded)
      for (const sentence of utterance.sentences) add(open, candidateOf(sentence, index, conversation));
  }
  const items = open.map(candidate => itemOf(candidate, conversation));
  const known = new Set<string>();
  return items.filter(({ id }) => !known.has(id) && known.add(id)).slice(-MOST);
}

function candidateOf(sentence: Sentence, index: number, { timezone }: Conversation): Candidate | null {
  const kind = kindOf(sentence, timezone);
  if (!kind || (kind === 'question' && isSmallTalk(sentence)) || sentence.words.length < 2) return null;
  const { utterance, text } = sentence;
  const day = findDay(text, utterance.pack, utterance.sentAt, timezone);
  return { kind, sentence, index, day, sources: new Set([utterance.messageId]) };
}

function kindOf({ folded, isQuestion, utterance, text }: Sentence, timezone: string): Kind | null {
  const { pack, sentAt } = utterance;
  const dated = () => findDay(text, pack, sentAt, timezone) !== null;
  if (!pack.inquiry.test(folded)) {
    if (pack.request.test(folded) || (pack.requestWithDate.test(folded) && dated())) return 'request';
    if (!isQuestion && (pack.promise.test(folded) || (pack.promiseWithDate.test(folded) && dated()))) return 'promise';
  }
  return isQuestion ? 'question' : null;
}

/**
 * What a message closes: any answer closes the other side's questions, "done" and "I can't" close requests and
 * promises about the same thing or, from the one who has the task, the last of them.
 */
function settle(open: Candidate[], utterance: Utterance, { isGroup }: Conversation): void {
  const said = utterance.sentences.map(({ folded }) => folded).join(' ');
  const onlyAsks = utterance.sentences.length > 0 && utterance.sentences.every(({ isQuestion }) => isQuestion);
  const isDone = utterance.pack.settled.test(said);
  for (const candidate of open.toReversed()) {
    const { kind, sentence } = candidate;
    const mine = sentence.utterance.speaker === utterance.speaker;
    const answered = kind === 'question' && !mine && (!onlyAsks || isGroup);
    const owner = kind === 'promise' ? mine : !mine;
    const finished = kind !== 'question' && isDone && owner;
    if (answered || finished) open.splice(open.indexOf(candidate), 1);
    if (finished) return;
  }
}

/** A promise that answers a request is the same task: it is kept once, in the words of the request. */
function add(open: Candidate[], candidate: Candidate | null): void {
  if (!candidate) return;
  const twin = open.findLast(other => isSameTask(other, candidate));
  if (!twin) return void open.push(candidate);
  for (const source of candidate.sources) twin.sources.add(source);
  twin.day = candidate.day ?? twin.day;
}

function isSameTask(earlier: Candidate, later: Candidate): boolean {
  if (earlier.kind === 'question' || later.kind === 'question') return false;
  const sameSpeaker = earlier.sentence.utterance.speaker === later.sentence.utterance.speaker;
  const shared = later.sentence.stems.filter(stem => earlier.sentence.stems.includes(stem)).length;
  const alike = shared / Math.max(Math.min(earlier.sentence.stems.length, later.sentence.stems.length), 1);
  if (sameSpeaker) return earlier.kind === later.kind && alike >= 0.75;
  if (earlier.kind === later.kind) return false;
  return (
    (earlier.kind === 'request' &&
      later.index - earlier.index <= 2 &&
      (alike > 0 || later.sentence.stems.length <= 2)) ||
    alike >= 0.6
  );
}

function itemOf({ kind, sentence, day, sources }: Candidate, conversation: Conversation): ActionItem {
  const { utterance } = sentence;
  const words = withoutOpening(sentence);
  const to = utterance.pack.phrases.reply.replace('{to}', utterance.speaker);
  const text = shorten(kind === 'question' ? `${to}: ${words}` : words, LONGEST);
  return {
    id: createHash('sha256')
      .update(`${utterance.messageId}:${sentence.words.join(' ')}`)
      .digest('hex')
      .slice(0, 16),
    text,
    ...ownerOf(kind, sentence, conversation),
    dueDate: day?.date ?? null,
    dueText: day ? shorten(day.words, 60) : null,
    sourceMessageIds: [...sources],
  };
}

function ownerOf(
  kind: Kind,
  sentence: Sentence,
  { names, isGroup, speakers }: Conversation,
): Pick<ActionItem, 'owner' | 'ownerName'> {
  const { utterance } = sentence;
  const owned = (isUser: boolean, ownerName: string) => ({
    owner: isUser ? ('user' as const) : ('contact' as const),
    ownerName,
  });
  if (kind === 'promise') return owned(utterance.fromUser, utterance.speaker);
  if (!isGroup) return owned(!utterance.fromUser, utterance.fromUser ? names.peer : names.user);
  const named = [names.user, ...speakers].find(name => name !== utterance.speaker && isCalled(name, sentence));
  return named === undefined ? { owner: 'unknown', ownerName: null } : owned(named === names.user, named);
}

function isCalled(name: string, { words }: Sentence): boolean {
  const first = name.toLowerCase().split(' ')[0] ?? '';
  return first !== '' && words.includes(first);
}
