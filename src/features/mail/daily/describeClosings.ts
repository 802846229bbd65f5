import { oneLine } from '../../../lib/mailViews.ts';
import { countLine, LONGEST } from '../../base/mailing/present.ts';
import { rowsIn } from '../../base/mailing/rules.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import type { DayOverview } from '../../pages/today/service.ts';
import { describeClosed } from '../../promises/page/describeClosed.ts';

/** Each has a line: what was closed is good to know, but asks for nothing. */
export const MOST_CLOSINGS = 3;

/** All that was closed since yesterday: more than the agenda lists. */
function countClosed({ agenda }: DayOverview): number {
  const { kept = 0, past = 0, notNeeded = 0 } = agenda?.closed.counts ?? {};
  return kept + past + notNeeded;
}

/** What was closed since yesterday, and since the mail before this one, which told the rest. */
export function closingsOf({ agenda }: DayOverview, toldUntil: Date | undefined) {
  const closed = agenda?.closed.promises.filter(({ isDoubtful }) => !isDoubtful) ?? [];
  return toldUntil ? closed.filter(({ changedAt }) => changedAt > toldUntil) : closed;
}

export function describeClosings(
  { present, toldUntil }: { present: DayOverview; toldUntil: Date | undefined },
  { now, appUrl }: { now: Date; appUrl: string },
) {
  const { timezone } = present;
  const closings = closingsOf(present, toldUntil);
  const total = toldUntil ? closings.length : countClosed(present);
  const rows = closings.slice(0, rowsIn(MOST_CLOSINGS, total));
  return {
    title: `Closed since ${toldUntil ? 'the last email' : 'yesterday'}`,
    ...countLine(rows, total, 'on Today'),
    href: `${appUrl}/today`,
    rows: rows.map(promise => {
      const { words, what, isKept } = describeClosed(promise, { now, timezone });
      return {
        name: oneLine(nameOf(promise), LONGEST.name),
        words: oneLine(words, LONGEST.words),
        what: `${isKept ? '✓ ' : ''}${what}`,
        href: `${appUrl}/conversations/${promise.dialogId}`,
      };
    }),
  };
}
