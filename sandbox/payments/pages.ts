import { type Request, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import { type Pages, securityHeaders } from '../pages/pages.ts';
import type { Actions } from './actions.ts';
import { presentCheckout, presentOverview, presentPortal } from './present.ts';
import type { Subscription } from './records.ts';
import type { PaymentsState } from './state.ts';

type Deps = Pick<Pages, 'render' | 'showProblem'> & { state: PaymentsState; actions: Actions };

const payForm = z.object({ decision: z.enum(['pay', 'decline']) });
const actForm = z.object({
  act: z.enum(['end', 'resume', 'cancel', 'fail', 'pass', 'renew', 'giveUp', 'change']),
  price: z.string().optional(),
});

/** The pages to pay, to manage a subscription, and to see the events that the service was sent. */
export function paymentPages({ state, actions, render, showProblem }: Deps): Router {
  const pages = Router();
  const form = urlencoded({ extended: false });

  pages.get('/', (_req, res) => {
    res.send(render('overview', presentOverview(state)));
  });
  pages.post('/events/:id/deliver', (req, res) => {
    const event = state.events.find(({ id }) => id === req.params.id);
    if (!event) return showProblem(res, 404, { problem: 'There is no such event.' });
    actions.deliverAgain(event);
    res.redirect(303, '/');
  });

  pages.get('/checkout/:id', (req, res) => showCheckout(req, res, ''));
  pages.post('/checkout/:id', form, (req, res) => {
    const checkout = state.checkouts.find(({ id }) => id === req.params.id);
    const wanted = payForm.safeParse(req.body ?? {});
    if (!checkout || !wanted.success) return showProblem(res, 404, { problem: 'There is nothing to pay here.' });
    if (wanted.data.decision === 'decline') return showCheckout(req, res, 'The card was declined. Try another one.');
    actions.pay(checkout);
    res.redirect(303, checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id));
  });

  function showCheckout(req: Request, res: Response, notice: string) {
    const checkout = state.checkouts.find(({ id }) => id === req.params.id);
    if (!checkout) return showProblem(res, 404, { problem: 'There is nothing to pay here.' });
    // Browsers check a redirect against the form's allowed targets, too.
    securityHeaders([new URL(checkout.successUrl).origin])(req, res, () => {
      res.status(notice ? 402 : 200).send(render('checkout', { ...presentCheckout(state, checkout), notice }));
    });
  }

  pages.get('/portal/:id', (req, res) => {
    const portal = state.portals.find(({ id }) => id === req.params.id);
    if (!portal) return showProblem(res, 404, { problem: 'This page has expired.' });
    res.send(render('portal', presentPortal(state, portal)));
  });
  pages.post('/portal/:id/:subscription', form, (req, res) => {
    const portal = state.portals.find(({ id }) => id === req.params.id);
    const wanted = actForm.safeParse(req.body ?? {});
    const subscription = state.subscriptions.find(
      ({ id, customerId }) => id === req.params.subscription && customerId === portal?.customerId,
    );
    if (!portal || !subscription || !wanted.success) return showProblem(res, 404, { problem: 'This can’t be done here.' });
    act(actions, subscription, wanted.data);
    res.redirect(303, `/portal/${portal.id}`);
  });

  return pages;
}

function act(actions: Actions, subscription: Subscription, wanted: z.infer<typeof actForm>): void {
  const acts = {
    end: () => actions.endWithPeriod(subscription, true),
    resume: () => actions.endWithPeriod(subscription, false),
    cancel: () => actions.cancel(subscription),
    fail: () => actions.failNext(subscription, true),
    pass: () => actions.failNext(subscription, false),
    renew: () => actions.renew(subscription),
    giveUp: () => actions.giveUp(subscription),
    change: () => actions.changePlan(subscription, wanted.price ?? ''),
  };
  acts[wanted.act]();
}
