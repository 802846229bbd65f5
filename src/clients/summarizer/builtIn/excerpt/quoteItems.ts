import { shorten } from '../../cleaning.ts';
import type { Conversation } from '../../conversation.ts';
import { isSecret } from '../../masking/mask.ts';
import type { ActionItem, Line, RequestAnswered } from '../../types.ts';
import { idsOf, ownerOf } from '../actionItems.ts';
import type { Commitment } from '../commitments.ts';
import { isStillOpen } from '../isStillOpen.ts';
import type { Turn } from '../reading.ts';
import { type Candidate, candidatesIn } from './items/candidates.ts';
import { type ItemWeights, itemOdds, readItemWeights } from './items/odds.ts';
import { itemSignals } from './items/signals.ts';
import { withUltimatums } from './items/ultimatums.ts';
import type { LineWriter } from './lines.ts';
import { renderSpan } from './renderExcerpt.ts';

const MOST = 12;
/**
 * Log odds from which something is shown as open, found on days that the weights were not learned from: a commitment that
 * is none misleads more than one left to its exchange.
 */
const SURE = { waits: -1, binds: 0.75 };
/** The same for a promise where no more messages than these were read: there was hardly time to take it back. */
const SURE_OF_FEW = -1;
const FEW = 2;
/** The same where more than these were read: in a long talk, plans change more often than one can tell. */
const SURE_OF_MANY = { waits: -0.5, binds: 1.5 };
const MANY = 16;
/** Turns between two mentions of the same day that settle the same plan. */
const NEAR = 4;

/** An open commitment in the words that bind, and who wrote them. */
export type QuotedItem = {
  commitment: Commitment;
  item: ActionItem;
  said: Pick<Line, 'who' | 'fromUser' | 'messageId'>;
};

/** What was read of a conversation. */
export type ItemsRead = {
  turns: Turn[];
  commitments: Commitment[];
  conversation: Conversation;
  writer: LineWriter;
};

const WEIGHTS = readItemWeights();

/** What is left to do at the end, in people's own words, in the order in which it was said. */
export function quoteItems(read: ItemsRead, weights: ItemWeights = WEIGHTS): QuotedItem[] {
  const { turns, commitments, conversation, writer } = read;
  const all = withUltimatums(candidatesIn(commitments, turns, conversation), turns, conversation);
  const lastDay = turns.at(-1)?.utterance.day;
  const weighed = all
    .filter(
      ({ commitment, at }) =>
        turns[at]?.utterance.day === lastDay || isStillOpen(commitment, commitments, turns, conversation),
    )
    .filter(({ commitment }) => !commitment.readings.some(({ sentence }) => isSecret(sentence.text)))
    .map(one => {
      const signals = itemSignals(one, { turns, all, conversation });
      const head = one.isQuestion ? 'waits' : 'binds';
      return {
        one,
        odds: one.isUltimatum ? SURE.binds : itemOdds(signals, weights[head]) - sureFrom(one, turns.length),
      };
    })
    .filter(({ odds }) => odds >= 0)
    .toSorted((one, other) => other.odds - one.odds);
  const ids = idsOf(all.map(({ commitment }) => commitment));
  const items: (QuotedItem & { one: Candidate })[] = [];
  for (const { one } of weighed) {
    if (items.some(item => isSame(item.one, one))) continue;
    const item = itemOf(one, ids.get(one.commitment) ?? '', { writer, conversation, turns });
    if (item) items.push({ ...item, one });
  }
  return items
    .toSorted((one, other) => one.one.at - other.one.at)
    .slice(-MOST)
    .map(({ commitment, item, said }) => ({ commitment, item, said }));
}

function sureFrom({ isQuestion, commitment, binding }: Candidate, messages: number): number {
  const sure = messages > MANY ? SURE_OF_MANY : SURE;
  if (isQuestion) return sure.waits;
  const isPromise = commitment.doer?.name === binding.sentence.utterance.speaker;
  return isPromise && messages <= FEW ? SURE_OF_FEW : sure.binds;
}

/** In the same message, one of them what the other answers, or the same day settled twice in a few turns. */
function isSame(one: Candidate, other: Candidate): boolean {
  if (one.binding.sentence.utterance === other.binding.sentence.utterance) return true;
  if (one.asked === other.binding || other.asked === one.binding) return true;
  const areAgreed = one.commitment.kind === 'proposal' && other.commitment.kind === 'proposal';
  return areAgreed && one.when !== null && one.when.date === other.when?.date && Math.abs(one.at - other.at) <= NEAR;
}

type Writing = { writer: LineWriter; conversation: Conversation; turns: Turn[] };

function itemOf(one: Candidate, id: string, { writer, conversation, turns }: Writing): QuotedItem | null {
  const { commitment, binding, at, asked, isRiddle, isEmpty, when } = one;
  const line = writer.writeAround(at, binding);
  const text = textOf(line);
  if (!line || text === '') return null;
  const askedAt = asked ? turns.findIndex(({ utterance }) => utterance === asked.sentence.utterance) : -1;
  const request = asked && askedAt >= 0 ? requestOf(writer.writeAround(askedAt, asked), turns[askedAt]) : null;
  // "Will do" without what it answers would be a riddle.
  if (isEmpty && !request) return null;
  const sources = asked && request ? [asked, binding] : [binding];
  const item: ActionItem = {
    id,
    text,
    ...(isOnlyProposed(one) ? { owner: 'unknown', ownerName: null } : ownerOf(commitment, conversation)),
    dueDate: when?.date ?? null,
    dueText: when && shorten(when.words, 60),
    dueTime: when?.time ?? null,
    ...(one.isUltimatum
      ? { kind: 'deadline' as const }
      : commitment.kind === 'proposal' && commitment.isAccepted && when && { kind: 'appointment' as const }),
    sourceMessageIds: [...new Set(sources.map(({ sentence }) => sentence.utterance.messageId))],
    ...(isRiddle && request && { request }),
  };
  return { commitment, item, said: { who: line.who, fromUser: line.fromUser, messageId: line.messageId } };
}

/** What the user proposed, and no one took on, or a day that no one had asked for: that is no debt. */
function isOnlyProposed({ isQuestion, isUltimatum, asked, commitment }: Candidate): boolean {
  if (isUltimatum || commitment.kind !== 'proposal' || commitment.isAccepted) return false;
  return isQuestion ? commitment.asker.isUser : asked === null && commitment.strength === 0;
}

/** The words as they stand in the message, with "…" where it goes on; '' where it has none. */
function textOf(line: Line | null): string {
  const [span] = line?.spans ?? [];
  return span?.text ? renderSpan({ ...span, attachment: null }) : '';
}

function requestOf(line: Line | null, turn: Turn | undefined): RequestAnswered | null {
  const words = textOf(line);
  if (!line || !turn || words === '') return null;
  const { senderId } = turn.utterance;
  return { words, messageId: line.messageId, who: line.who, ...(senderId && { senderId }), fromUser: line.fromUser };
}
