import type { Request, Response } from 'express';
import { hasKeys } from '../../../http/browserChoices.ts';
import { currentUser } from '../../../http/currentUser.ts';
import type { NavigationCounts } from '../../../http/navigation.ts';
import type { Renderer } from '../../../http/render.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { localDay } from '../../../lib/timezones.ts';
import type { LedgerPromise } from '../schema.ts';
import { describeChange, presentCounts } from './present.ts';
import { asked } from './schema.ts';
import { countBoard } from './service.ts';

export type InPlaceDeps = {
  db: Db;
  clock: Clock;
  queue: Queue;
  render: Renderer;
  /** The numbers in the navigation. */
  count(owner: { userId: string }): Promise<NavigationCounts>;
  /** What Today counts around its rows, if `here` is its address; supplied by that page. */
  countToday(about: { userId: string; here: string; deciding: Promise<unknown> }): Promise<object | undefined>;
};

type Decided = { here: string; isUndo?: boolean; deciding: Promise<LedgerPromise[]> };

/** The answer to a decision made in place: the line with Undo, and out of band what the page and the navigation count. */
export async function showChanged(deps: InPlaceDeps, req: Request, res: Response, decided: Decided) {
  const { here, isUndo = false, deciding } = decided;
  const userId = currentUser(req).id;
  const wanted = isBoard(here) ? askedBy(here) : undefined;
  const [changed, counts, board, page] = await Promise.all([
    deciding,
    deciding.then(() => deps.count({ userId })),
    wanted && countBoard(deps, { userId, ...wanted, deciding }),
    wanted ? undefined : deps.countToday({ userId, here, deciding }),
  ]);
  const told = describeChange({ changed, today: localDay(deps.clock.now(), 'UTC') });
  const keys = hasKeys(req);
  deps.render.fragment(res, 'shared/promise/_changed', {
    ...{ here, counts, page, keys },
    done: isUndo ? undefined : told,
    say: `${told?.words ?? 'Nothing was changed'}${told && keys && !isUndo ? '. Undo with Z' : ''}`,
    ...(wanted && board && { board: presentCounts(board, wanted) }),
  });
}

/** Whether an address is one of the page of promises. */
export function isBoard(path: string): boolean {
  return /^\/promises(\?|$)/.test(path);
}

/** Whether the page at this path reads from its address what was decided. */
export function showsDecision(path: string): boolean {
  return /^\/(promises|today|week|conversations\/[\w-]{1,100})(\?|$)/.test(path);
}

/** What such an address asks for. */
export function askedBy(here: string) {
  return asked.parse(Object.fromEntries(new URL(here, 'http://localhost').searchParams));
}
