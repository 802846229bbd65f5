import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';
import { withQuery } from '../../http/withQuery.ts';
import type { Queue } from '../../lib/queue.ts';
import { formatCount } from '../../lib/words.ts';
import { doneToken, presentDone } from '../actionItems/findDone.ts';
import { type FoundItem, tickItem, untickItem } from '../actionItems/service.ts';
import { sumCounts } from '../agenda/present.ts';
import { describeAction } from '../digests/describeAction.ts';
import { quoteSource } from '../digests/quoteSource.ts';
import { presentAround } from './present.ts';
import { askedBy } from './schema.ts';
import { type Around, addDay, getAround, type TodayDeps } from './service.ts';

type Deps = TodayDeps & { queue: Queue; render: Renderer };

const tickForm = z.object({
  /** The page with the item checked off. */
  back: z.string().max(2000).optional().catch(undefined),
  /** Undone in the line that announced it, which then disappears. */
  from: z.literal('toast').optional().catch(undefined),
});

/** Checking off action items, for every page that shows them. */
export function routeTicks(deps: Deps): Router {
  const pages = Router();

  const changes = { done: tickItem, undone: untickItem };
  for (const [verb, change] of Object.entries(changes)) {
    pages.post(`/digests/:digestId/actions/:itemId/${verb}`, requireUser, async (req, res) => {
      const { back, from } = parseInput(tickForm, req.body);
      const here = pageOf(req, back);
      const { digestId, itemId } = req.params;
      const named = { userId: currentUser(req).id, digestId: String(digestId), itemId: String(itemId) };
      const isDone = verb === 'done';
      const [found, around] = await Promise.all([change(deps, named), isHtmx(req) && getAround(deps, named)]);
      if (around) return sendTicked(deps, req, res, { found, around, here, isDone, takesFocus: from === 'toast' });
      if (!isDone) setFlash(req, { tone: 'ok', title: 'Open again', text: found.item.text });
      res.redirect(303, isDone ? withQuery(here, 'done', doneToken(found)) : here);
    });
  }

  return pages;
}

/** The page with the item checked off. What it shows may have changed since the form was written: htmx knows. */
function pageOf(req: Request, back: string | undefined): string {
  const host = req.get('host');
  const now = isHtmx(req) ? ownPath(req.get('hx-current-url'), host) : undefined;
  return now ?? ownPath(back, host) ?? '/today';
}

type Ticked = { found: FoundItem; around: Around; here: string; isDone: boolean; takesFocus: boolean };

/** The item in place, and out of band whatever else depends on it. */
async function sendTicked(
  deps: Deps,
  req: Request,
  res: Response,
  { found, around, here, isDone, takesFocus }: Ticked,
) {
  const userId = currentUser(req).id;
  const keys = hasKeys(req);
  const { today, timezone } = around;
  const { digest, item } = found;
  const action = describeAction(item, digest, { today });
  // Only the page of a conversation shows it at the item.
  const source = here.startsWith('/conversations/')
    ? quoteSource(digest, item.sourceMessageIds, { today, timezone, key: `open-${item.id}` })
    : undefined;
  deps.render.fragment(res, 'shared/digest/_ticked', {
    action: { ...action, source },
    back: here,
    done: isDone ? presentDone(found) : undefined,
    say: isDone ? doneWords(action.text, keys) : `Open again: ${action.text}`,
    keys,
    takesFocus,
    page: await pageAround(deps, around, { userId, here }),
  });
}

function doneWords(text: string, keys: boolean): string {
  const end = /[.!?…]$/.test(text) ? '' : '.';
  return keys ? `Done: ${text}${end} Undo with Z` : `Done: ${text}`;
}

type Deciding = { userId: string; here: string; deciding: Promise<unknown> };

/**
 * What Today counts, for a decision made there by another feature: what the decision leaves as it is, is read meanwhile.
 * @param about.here the address of the page
 */
export async function countToday(deps: Omit<Deps, 'render'>, { deciding, ...about }: Deciding) {
  const [around] = await Promise.all([getAround(deps, about), deciding]);
  return pageAround(deps, around, about);
}

/** What the page around an item counts, when that page is Today: of a list or of a search only what is beside it. */
async function pageAround(
  deps: Omit<Deps, 'render'>,
  around: Around,
  { userId, here }: { userId: string; here: string },
) {
  const asked = askedBy(here);
  if (!asked) return undefined;
  const { q, isTable, ...shown } = asked;
  if (isTable) return undefined;
  const overview = await addDay(deps, around, { userId, day: shown.day, isCounting: true });
  const { headline, views, counts } = presentAround(overview, { ...shown, now: deps.clock.now() });
  const totals = { due: formatCount(counts.today), owed: formatCount(sumCounts(overview.open).owed) };
  return {
    headline,
    ...(q === '' && { views }),
    ...(shown.view === 'today' && q === '' && overview.day === overview.today && { totals }),
  };
}
