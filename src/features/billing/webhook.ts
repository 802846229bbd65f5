import express, { type IRouter } from 'express';
import { SignatureRefused } from '../../clients/errors.ts';
import type { PaymentEvent, PaymentsClient } from '../../clients/payments/types.ts';
import { onceAnHour } from '../../lib/clock.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { notify } from '../base/alerts/service.ts';
import { applyPaymentEvent, type PaymentEventDeps } from './applyPaymentEvent.ts';

type PaymentWebhookDeps = Omit<PaymentEventDeps, 'payments'> & { payments: PaymentsClient | undefined };

/** The payment provider's events: only the signature counts. An unprocessed one is answered 500, to be redelivered. */
export function paymentWebhook(routes: IRouter, deps: PaymentWebhookDeps): void {
  const logRefusal = onceAnHour(deps.clock, (reason: string) =>
    deps.log.warn({ reason }, 'payment event refused; further ones of this hour are not logged'),
  );

  routes.post('/api/webhooks/payments', express.raw({ type: () => true, limit: '1mb' }), async (req, res) => {
    const payments = deps.payments ?? refuseUnconfigured(deps);
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    let event: PaymentEvent | undefined;
    try {
      event = payments.verifyEvent(body, req.get('stripe-signature'), deps.clock.now());
    } catch (err) {
      if (!(err instanceof SignatureRefused)) throw err;
      logRefusal(err.message);
      throw new InvalidInput('The signature is missing or wrong.', {}, 'SIGNATURE_INVALID');
    }
    if (event) await acceptEvent({ ...deps, payments }, event);
    res.json({ received: true });
  });
}

function refuseUnconfigured(deps: PaymentWebhookDeps): never {
  notify(deps, { level: 'error', source: 'payments', kind: 'PAYMENT_WEBHOOK_NOT_CONFIGURED', about: {} });
  throw new Error('a payment event came, but no payment secret is configured');
}

/** The provider's own failures are answered with 500, too: any other status might end its deliveries. */
async function acceptEvent(deps: PaymentEventDeps, event: PaymentEvent): Promise<void> {
  try {
    await applyPaymentEvent(deps, event);
  } catch (cause) {
    notify(deps, { level: 'error', source: 'payments', kind: 'PAYMENT_EVENT_FAILED', about: { type: event.type } });
    throw new Error('a payment event was not processed', { cause });
  }
}
