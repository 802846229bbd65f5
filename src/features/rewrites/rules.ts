import type { ActionItem } from '../../clients/summarizer/types.ts';
import type { WrittenRow } from './repo.ts';

/**
 * Another style words an item anew: one that rests on the same messages and is the same person's keeps its id, and with
 * it its tick.
 */
export function keepItemIds(before: readonly ActionItem[], after: readonly ActionItem[]): ActionItem[] {
  const taken = new Set(after.map(({ id }) => id));
  return after.map(item => {
    if (before.some(({ id }) => id === item.id)) return item;
    const [same, ...others] = before.filter(old => !taken.has(old.id) && isSameTask(old, item));
    if (!same || others.length > 0) return item;
    taken.add(same.id);
    return { ...item, id: same.id };
  });
}

function isSameTask(one: ActionItem, other: ActionItem): boolean {
  const sources = new Set(one.sourceMessageIds);
  return one.owner === other.owner && other.sourceMessageIds.some(id => sources.has(id));
}

type Judged = Pick<WrittenRow, 'isCovered' | 'summary' | 'writing'>;

/** Why this digest can't be written again; undefined when it can. */
export function refusalOf({ isCovered, summary, writing }: Judged): string | undefined {
  if (isCovered) return 'A later digest has these messages. Rewrite that one instead.';
  if (summary === '') return 'There is no digest of this day yet.';
  if (writing === 'FAILED') return 'The last attempt failed. The next sync will pick this digest up.';
  return writing === 'COMPLETE' ? undefined : 'A sync is rewriting this digest. Try again when it is done.';
}
