import type { ActionItem } from '../../clients/summarizer/types.ts';
import { isUrgent } from '../digests/rules.ts';
import type { Digest } from '../digests/schema.ts';
import { byNewest, type Groups, groupDay } from '../today/rules.ts';

/** A day's digests as its mail lists them. */
export type MailGroups = Omit<Groups, 'written'> & {
  /** Urgent, or with something the user still owes. */
  needsYou: Digest[];
  worthKnowing: Digest[];
};

/** The user's own items that are not checked off. What others owe, or what is unassigned, doesn't count. */
export function openItems({ structured, ticked }: Digest): ActionItem[] {
  return structured.actionItems.filter(({ id, owner }) => owner === 'user' && !ticked.has(id));
}

/** What is muted is on Today only, for who asks for everything. */
export function groupMail(digests: Digest[]): MailGroups {
  const { written, ...others } = groupDay(digests, { syncRuns: false });
  const shown = written.filter(({ dialog }) => !dialog.isMuted);
  const needsAct = (digest: Digest) => isUrgent(digest) || openItems(digest).length > 0;
  return {
    ...others,
    needsYou: shown.filter(needsAct).sort(byPressure),
    worthKnowing: shown.filter(digest => !needsAct(digest)).sort(byNewest),
  };
}

/** Urgent first, then what is due first, then the newest. */
function byPressure(a: Digest, b: Digest): number {
  return Number(isUrgent(b)) - Number(isUrgent(a)) || firstDue(a).localeCompare(firstDue(b)) || byNewest(a, b);
}

const NO_DATE = '9999-12-31';

function firstDue(digest: Digest): string {
  const dates = openItems(digest).map(item => item.dueDate ?? NO_DATE);
  return dates.sort()[0] ?? NO_DATE;
}
