import type { ActionItem, Summary } from '../../src/clients/summarizer/types.ts';
import type { LabelledDay } from './days.ts';

export type Score = {
  days: number;
  written: number;
  right: number;
  labelled: number;
  found: number;
  owner: number;
  due: number;
  urgency: number;
  waitingKnown: number;
  waiting: number;
};

export type Judged = {
  day: LabelledDay;
  digest: Summary;
  /** Written items that rest on no labelled message. */
  wrong: ActionItem[];
  pairs: { label: LabelledDay['labels']['actionItems'][number]; item: ActionItem | null }[];
};

export function judge(day: LabelledDay, digest: Summary): Judged {
  const { actionItems: labels } = day.labels;
  const { actionItems: items } = digest.structured;
  const pairs = labels.map(label => {
    const closest = items
      .filter(item => overlap(label, item) > 0)
      .toSorted((one, other) => closeness(label, other) - closeness(label, one));
    return { label, item: closest[0] ?? null };
  });
  return { day, digest, pairs, wrong: items.filter(item => labels.every(label => overlap(label, item) === 0)) };
}

type Label = Judged['pairs'][number]['label'];

/** Of two items on the same messages, the one with the same owner is matched first, then the one with the same day. */
function closeness(label: Label, item: ActionItem): number {
  return overlap(label, item) + (item.owner === label.owner ? 0.2 : 0) + (item.dueDate === label.dueDate ? 0.1 : 0);
}

/** The share of an item's messages that were labelled. */
function overlap(label: Label, item: ActionItem): number {
  const shared = item.sourceMessageIds.filter(id => label.messages.includes(Number(id)));
  return shared.length / item.sourceMessageIds.length;
}

export function scoreOf(judged: Judged[]): Score {
  const count = (test: (one: Judged) => boolean) => judged.filter(test).length;
  const sum = (of: (one: Judged) => number) => judged.reduce((total, one) => total + of(one), 0);
  const matched = judged.flatMap(({ pairs }) => pairs.flatMap(({ label, item }) => (item ? [{ label, item }] : [])));
  const known = judged.filter(({ day }) => day.labels.waiting !== undefined);
  return {
    days: judged.length,
    written: sum(({ digest }) => digest.structured.actionItems.length),
    right: sum(({ digest, wrong }) => digest.structured.actionItems.length - wrong.length),
    labelled: sum(({ pairs }) => pairs.length),
    found: matched.length,
    owner: matched.filter(({ label, item }) => label.owner === item.owner).length,
    due: matched.filter(({ label, item }) => label.dueDate === item.dueDate).length,
    urgency: count(({ day, digest }) => day.labels.urgency === digest.structured.urgency),
    waitingKnown: known.length,
    waiting: known.filter(({ day, digest }) => day.labels.waiting === isWaiting(digest)).length,
  };
}

/** Whether the digest says that the contact waits for the user's answer. */
export function isWaiting({ waits }: Summary): boolean {
  return waits.questions.length > 0;
}
