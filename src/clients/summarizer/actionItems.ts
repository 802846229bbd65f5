import { localDay } from '../../lib/timezones.ts';
import { actionItemId } from './actionItemId.ts';
import { shorten } from './cleaning.ts';
import { type Conversation, DAY, type Sentence, type Utterance } from './conversation.ts';
import { findDay, type NamedDay } from './dueDates.ts';
import type { MediaKind } from './languages/types.ts';
import { isSecret } from './masking.ts';
import { withoutOpening } from './openings.ts';
import { fill } from './phrases.ts';
import { isSmallTalk } from './ranking.ts';
import type { ActionItem } from './types.ts';

const MOST = 12;
const LONGEST = 200;
const MOST_SOURCES = 10;
/** So many messages later "done" still means the last task. */
const NEAR = 2;
const HANDED_OVER: ReadonlySet<MediaKind> = new Set(['document', 'photo', 'video', 'location', 'contact']);
/** What is older than this without a day to come is most likely settled in ways that words don't show. */
const STALE = 3 * DAY;
/** On a day with more than this left open, the oldest are old news. */
const MOST_OPEN = 5 * MOST;

type Kind = 'promise' | 'request' | 'question';

/** Something left to do, before it is known whether the day went on to settle it. */
type Candidate = { kind: Kind; sentences: [Sentence, ...Sentence[]]; index: number };

/** Promises made, things asked for and questions without an answer at the end of the day, in the order they came up. */
export function findActionItems(conversation: Conversation): ActionItem[] {
  const open: Candidate[] = [];
  for (const [index, utterance] of conversation.utterances.entries()) {
    settle(open, utterance, index, conversation);
    if (utterance.forwarded) continue;
    for (const sentence of utterance.sentences) add(open, candidateOf(sentence, index, conversation));
  }
  const lastSaid = conversation.utterances.at(-1)?.sentAt ?? new Date(0);
  const lastDay = localDay(lastSaid, conversation.timezone);
  const items = open.slice(-2 * MOST).flatMap(candidate => {
    const item = itemOf(candidate, conversation);
    const isStale = lastSaid.getTime() - candidate.sentences[0].utterance.sentAt.getTime() > STALE;
    return (item.dueDate === null ? isStale : item.dueDate < lastDay) ? [] : [item];
  });
  return [...new Map(items.map(item => [item.id, item])).values()].slice(-MOST);
}

function candidateOf(sentence: Sentence, index: number, { timezone }: Conversation): Candidate | null {
  if (sentence.words.length < 2 || isSecret(sentence.text)) return null;
  const kind = kindOf(sentence, () => dayOf(sentence, timezone) !== null);
  if (!kind || (kind === 'question' && isSmallTalk(sentence))) return null;
  return { kind, sentences: [sentence], index };
}

function kindOf({ folded, isQuestion, utterance: { pack } }: Sentence, isDated: () => boolean): Kind | null {
  const asksToKnow = pack.inquiry.test(folded);
  if (!asksToKnow && pack.request.test(folded)) return 'request';
  if (!(asksToKnow && isQuestion) && pack.requestWithDate.test(folded) && isDated()) return 'request';
  if (isQuestion) return 'question';
  if (!asksToKnow && pack.promise.test(folded)) return 'promise';
  return pack.promiseWithDate.test(folded) && isDated() ? 'promise' : null;
}

function dayOf({ text, utterance }: Sentence, timezone: string): NamedDay | null {
  return findDay(text, utterance.pack, utterance.sentAt, timezone);
}

/**
 * What a message closes: any answer closes the others' questions; "done", "I can't" and a file close the task just
 * spoken of, or about the same thing, of the one who says or sends so.
 */
function settle(open: Candidate[], utterance: Utterance, index: number, conversation: Conversation): void {
  const { sentences, speaker } = utterance;
  const onlyAsks = sentences.length > 0 && sentences.every(({ isQuestion }) => isQuestion);
  const settling = settlingSentences(utterance);
  const stems = new Set(settling?.flatMap(sentence => sentence.stems));
  const answered = ({ kind, sentences: [asked] }: Candidate) =>
    kind === 'question' && asked.utterance.speaker !== speaker && (!onlyAsks || conversation.isGroup);
  const finished = (candidate: Candidate) => {
    const [sentence] = candidate.sentences;
    if (candidate.kind === 'question' || !settling) return false;
    if (ownerOf(candidate.kind, sentence, conversation).ownerName !== speaker) return false;
    return index - candidate.index <= NEAR || sentence.stems.some(stem => stems.has(stem));
  };
  const done = open.findLast(finished);
  const left = open.filter(candidate => candidate !== done && !answered(candidate));
  open.splice(0, open.length, ...left);
}

/** The sentences by which something is done, or null when nothing is. */
function settlingSentences({ sentences, media, pack }: Utterance): Sentence[] | null {
  if (media !== null && HANDED_OVER.has(media)) return sentences;
  const found = sentences.filter(({ folded }) => pack.settled.test(folded));
  return found.length > 0 ? found : null;
}

/** A promise that answers a request is the same task: it is kept once, in the words of the request. */
function add(open: Candidate[], candidate: Candidate | null): void {
  if (!candidate) return;
  const twin = open.findLast(other => isSameTask(other, candidate));
  if (twin) {
    if (twin.sentences.length < MOST_SOURCES) twin.sentences.push(...candidate.sentences);
    return;
  }
  open.push(candidate);
  if (open.length > MOST_OPEN) open.shift();
}

function isSameTask(earlier: Candidate, later: Candidate): boolean {
  if (earlier.kind === 'question' || later.kind === 'question') return false;
  const [first, second] = [earlier.sentences[0], later.sentences[0]];
  const shared = second.stems.filter(stem => first.stems.includes(stem)).length;
  const alike = shared / Math.max(Math.min(first.stems.length, second.stems.length), 1);
  if (first.utterance.speaker === second.utterance.speaker) return earlier.kind === later.kind && alike >= 0.75;
  if (earlier.kind === later.kind) return false;
  return alike >= 0.6 || (earlier.kind === 'request' && later.index - earlier.index === 1);
}

function itemOf({ kind, sentences }: Candidate, conversation: Conversation): ActionItem {
  const [sentence] = sentences;
  const { messageId, speaker, pack } = sentence.utterance;
  const words = withoutOpening(sentence);
  const to = fill(pack.phrases.reply, { to: speaker });
  // The day asked for, which stands in the words shown, before the day promised.
  const days = sentences.values().map(said => dayOf(said, conversation.timezone));
  // In a question the day is when something was or will be, not when an answer is due.
  const day = kind === 'question' ? undefined : days.find(found => found !== null);
  return {
    id: actionItemId(messageId, sentence.words),
    text: shorten(kind === 'question' ? `${to}: ${words}` : words, LONGEST),
    ...ownerOf(kind, sentence, conversation),
    dueDate: day?.date ?? null,
    dueText: day ? shorten(day.words, 60) : null,
    sourceMessageIds: [...new Set(sentences.map(({ utterance }) => utterance.messageId))],
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

function isCalled(name: string, { words, folded }: Sentence): boolean {
  const first = name.toLowerCase().split(' ')[0] ?? '';
  return first !== '' && (words.includes(first) || folded.includes(`@${first}`));
}
