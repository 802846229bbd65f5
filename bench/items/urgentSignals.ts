import type { OpenTask } from '../../src/clients/summarizer/builtIn/items.ts';
import type { Turn } from '../../src/clients/summarizer/builtIn/reading.ts';
import type { Sentiment, Urgency } from '../../src/clients/summarizer/types.ts';

const CUES = [
  'urgent',
  'threat',
  'outage',
  'consequence',
  'negative',
  'positive',
  'dismay',
  'needs',
  'polite',
] as const;
const SEEN = [
  'high',
  'medium',
  'tense',
  'mixed',
  'glad',
  'dueToday',
  'dueTomorrow',
  'mineSoon',
  'open',
  'shouts',
  'doubts',
  'group',
] as const;

export const URGENT_SIGNALS = [...CUES, ...SEEN] as const;

/** What speaks for it that a day can't wait, each about 0 to 1. */
export type UrgentSignals = Record<(typeof URGENT_SIGNALS)[number], number>;

const DAY_MS = 86_400_000;

/** `found`: what the rules made of it, one signal among others. */
export function urgentSignals(
  turns: Turn[],
  open: OpenTask[],
  found: { urgency: Urgency; sentiment: Sentiment; isGroup: boolean },
): UrgentSignals {
  const { urgency, sentiment, isGroup } = found;
  const readings = turns.flatMap(turn => turn.readings);
  const text = readings.map(({ sentence }) => sentence.text).join(' ');
  const today = turns.at(-1)?.utterance.day ?? '1970-01-01';
  const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
  const flag = (is: boolean) => (is ? 1 : 0);
  const some = (count: number) => Math.min(1, count / 3);
  const cues = CUES.map((name): [string, number] => [
    name,
    some(readings.filter(({ lexicon, folded }) => lexicon.acts[name].test(folded)).length),
  ]);
  const isMineSoon = ({ item: { owner, dueDate } }: OpenTask) =>
    owner === 'user' && dueDate !== null && dueDate <= tomorrow;
  return {
    ...(Object.fromEntries(cues) as Record<(typeof CUES)[number], number>),
    high: flag(urgency === 'high'),
    medium: flag(urgency === 'medium'),
    tense: flag(sentiment === 'negative'),
    mixed: flag(sentiment === 'mixed'),
    glad: flag(sentiment === 'positive'),
    dueToday: flag(open.some(({ item }) => item.dueDate === today)),
    dueTomorrow: some(open.filter(({ item }) => item.dueDate === tomorrow).length),
    mineSoon: flag(open.some(isMineSoon)),
    open: Math.min(1, open.length / 5),
    shouts: some(text.match(/!!/g)?.length ?? 0),
    doubts: some(text.match(/\?\?/g)?.length ?? 0),
    group: flag(isGroup),
  };
}
