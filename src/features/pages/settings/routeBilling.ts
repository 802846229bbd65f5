import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { ClientError } from '../../../clients/errors.ts';
import { type Renderer, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import type { Clock } from '../../../lib/clock.ts';
import { describeOutage } from '../../../lib/failures.ts';
import type { Log } from '../../../lib/log.ts';
import { localDay } from '../../../lib/timezones.ts';
import { dropPeriod } from '../../../lib/words.ts';
import { getSettings } from '../../base/settings/service.ts';
import { presentBilling } from '../../billing/present.ts';
import { listSubscriptions } from '../../billing/repo.ts';
import { findCurrentSubscription } from '../../billing/rules.ts';
import { planName } from '../../billing/schema.ts';
import { type CheckoutDeps, choosePlan, createPlanPrices, manageBilling } from '../../billing/service.ts';
import { countDigestsOfDay } from '../../digests/repo.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { filterActive } from '../../messenger/rules.ts';

type BillingPagesDeps = CheckoutDeps & { clock: Clock; log: Log; render: Renderer };

const PAGE = '/settings/billing';
/** For browsers without JavaScript. */
const REFRESH_SECONDS = 5;

const query = z.object({ checkout: z.enum(['success', 'cancelled']).optional().catch(undefined) });
const planForm = z.object({ plan: planName });

export function routeBilling(pages: IRouter, deps: BillingPagesDeps): void {
  const costs = createPlanPrices(deps);

  pages.get(PAGE, requireUser, async (req, res) => {
    const { id: userId } = currentUser(req);
    const { timezone } = await getSettings(deps, { userId });
    const [subscriptions, usage, planPrices] = await Promise.all([
      listSubscriptions(deps.db, userId),
      countUsage(deps, { userId, timezone }),
      costs(),
    ]);
    const { checkout } = query.parse(req.query);
    const prices = deps.payments ? deps.prices : {};
    const about = { timezone, usage, checkout, prices, planPrices, isConfigured: Boolean(deps.payments) };
    const shown = presentBilling(subscriptions, about);
    const refreshSeconds = shown.isWaiting ? REFRESH_SECONDS : 0;
    deps.render.page(res, 'billing/index', shown, { title: 'Plan and billing', nav: 'settings', refreshSeconds });
  });

  pages.get(`${PAGE}/arrived`, requireUser, async (req, res) => {
    const hasArrived = findCurrentSubscription(await listSubscriptions(deps.db, currentUser(req).id)) !== undefined;
    if (!isHtmx(req)) return res.redirect(303, `${PAGE}?checkout=success`);
    if (!hasArrived) return res.status(204).end();
    res.set('HX-Refresh', 'true').end();
  });

  pages.post(`${PAGE}/checkout`, requireUser, async (req, res) => {
    const { plan } = parseInput(planForm, req.body);
    await redirectToProvider(deps, req, res, () => choosePlan(deps, { user: currentUser(req), plan }));
  });

  pages.post(`${PAGE}/portal`, requireUser, async (req, res) => {
    await redirectToProvider(deps, req, res, () => manageBilling(deps, { userId: currentUser(req).id }));
  });
}

/** How much of a plan is used today. */
async function countUsage({ db, clock }: BillingPagesDeps, { userId, timezone }: { userId: string; timezone: string }) {
  const date = localDay(clock.now(), timezone);
  const [conversationsPerDay, accounts] = await Promise.all([
    countDigestsOfDay(db, { userId, date }),
    listAccounts(db, userId),
  ]);
  return { conversationsPerDay, messengerAccounts: filterActive(accounts).length };
}

/** Redirects to the provider's page, or back with an error. */
async function redirectToProvider({ log }: { log: Log }, req: Request, res: Response, find: () => Promise<{ url: string }>) {
  try {
    res.redirect(303, (await find()).url);
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.error({ err }, 'payment page not opened');
    const { sentence, advice } = describeOutage(err);
    setFlash(req, { tone: 'warn', title: dropPeriod(sentence), text: `Nothing was bought or changed. ${advice}` });
    res.redirect(303, PAGE);
  }
}
