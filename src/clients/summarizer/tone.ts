import type { Conversation, Sentence } from './conversation.ts';
import { everywhere } from './languages/cues.ts';
import type { ActionItem, Sentiment, Urgency } from './types.ts';

const HAPPY =
  /[\u{1F600}-\u{1F60D}\u{1F618}\u{1F970}\u{1F973}\u{1F929}\u{1F389}\u{1F44D}\u{1F44F}\u{1F64F}\u{2764}\u{1F4AA}\u{1F642}]|:-?\)|<3/gu;
const UNHAPPY = /[\u{1F61E}-\u{1F62D}\u{1F620}-\u{1F623}\u{1F621}\u{1F92C}\u{1F44E}\u{1F494}\u{1F641}\u{2639}]|:-?\(/gu;
/** Words before a feeling that a negation reaches over. */
const REACH = 3;

/** How the last day felt, by the feeling words of both sides. A word or two among many messages is politeness, not a mood. */
export function findSentiment({ recent }: Conversation): Sentiment {
  let [positive, negative] = [0, 0];
  for (const sentence of recent.flatMap(({ sentences }) => sentences)) {
    const feeling = feelingOf(sentence);
    positive += feeling.positive;
    negative += feeling.negative;
  }
  const enough = Math.max(1, Math.sqrt(recent.length) / 2);
  const [happy, unhappy] = [positive >= enough, negative >= enough];
  if (happy && unhappy) {
    if (positive >= 2.5 * negative) return 'positive';
    return negative >= 2 * positive ? 'negative' : 'mixed';
  }
  if (happy) return 'positive';
  return unhappy ? 'negative' : 'neutral';
}

function feelingOf({ folded, text, utterance: { pack } }: Sentence): { positive: number; negative: number } {
  const feeling = { positive: text.match(HAPPY)?.length ?? 0, negative: text.match(UNHAPPY)?.length ?? 0 };
  for (const [pattern, side, other] of [
    [pack.positive, 'positive', 'negative'],
    [pack.negative, 'negative', 'positive'],
  ] as const) {
    for (const match of folded.matchAll(everywhere(pattern))) {
      const before = folded
        .slice(0, match.index)
        .split(' ')
        .slice(-REACH - 1)
        .join(' ');
      const turned = pack.negation.test(before);
      // "No problem" is not praise: what is denied counts only against the good words.
      if (!turned) feeling[side] += 1;
      else if (side === 'positive') feeling[other] += 1;
    }
  }
  return feeling;
}

/**
 * `high` when somebody says so, `medium` when something is due within two days or said to be soon, `low` when anything is left to
 * do, else `none`.
 */
export function findUrgency({ recent }: Conversation, actionItems: ActionItem[], today: string): Urgency {
  const said = (cue: 'urgent' | 'soon') =>
    recent.some(({ pack, sentences }) =>
      sentences.some(({ folded }) => pack[cue].test(folded) && !deniedBefore(folded, pack, cue)),
    );
  if (said('urgent')) return 'high';
  const near = Date.parse(today) + 2 * 86_400_000;
  if (actionItems.some(({ dueDate }) => dueDate !== null && Date.parse(dueDate) <= near)) return 'medium';
  if (actionItems.length === 0) return 'none';
  return said('soon') ? 'medium' : 'low';
}

function deniedBefore(folded: string, pack: Sentence['utterance']['pack'], cue: 'urgent' | 'soon'): boolean {
  const index = pack[cue].exec(folded)?.index ?? 0;
  return pack.negation.test(folded.slice(0, index).split(' ').slice(-REACH).join(' '));
}
