import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { type Actions, newCustomer } from './actions.ts';
import { checkoutBody, customerBody, eventBody, listBody, priceBody, productBody, subscriptionBody } from './bodies.ts';
import type { Checkout } from './records.ts';
import { missing, Refusal } from './refusals.ts';
import type { PaymentsState } from './state.ts';

export type ApiDeps = {
  state: PaymentsState;
  actions: Actions;
  secretKey: string;
  /** The server's own address. */
  url: () => string;
  /** Called for each request that is signed in. May reject with a Refusal. */
  count: (kind: string) => Promise<void>;
};

const metadata = z.record(z.string(), z.string()).default({});
const address = z.url({ protocol: /^https?$/ });

const checkoutInput = z.object({
  mode: z.literal('subscription'),
  line_items: z.array(z.object({ price: z.string(), quantity: z.coerce.number().optional() })).length(1),
  customer: z.string().optional(),
  customer_email: z.string().optional(),
  client_reference_id: z.string().optional(),
  metadata,
  subscription_data: z.object({ metadata }).default({ metadata: {} }),
  success_url: address,
  cancel_url: address.optional(),
});
const portalInput = z.object({ customer: z.string(), return_url: address });
const customerInput = z.object({ email: z.string().default('') });

/** The part of the vendor's API that Forenoon could call, under the vendor's paths. */
export function paymentsApi(deps: ApiDeps): Router {
  const { state, actions, url } = deps;
  const routes = Router();
  routes.use(express.urlencoded({ extended: true, limit: '100kb' }), signedIn(deps), repeatable());
  const pageOf = ({ id }: Checkout) => `${url()}/checkout/${id}`;
  const plain = <T>(records: readonly T[], find: (record: T) => boolean, what: string, id: string): T =>
    records.find(find) ?? refuseMissing(what, id);

  routes.post('/checkout/sessions', (req, res) => {
    const input = read(checkoutInput, req.body);
    const [line] = input.line_items;
    plain(state.prices, ({ id }) => id === line?.price, 'price', line?.price ?? '');
    const customerId = input.customer ?? null;
    const customer = customerId && plain(state.customers, ({ id }) => id === customerId, 'customer', customerId);
    const checkout: Checkout = {
      id: state.newId('cs_test'),
      priceId: line?.price ?? '',
      customerId,
      email: customer ? customer.email : (input.customer_email ?? ''),
      userId: input.client_reference_id ?? null,
      metadata: input.metadata,
      subscriptionMetadata: input.subscription_data.metadata,
      successUrl: input.success_url,
      cancelUrl: input.cancel_url ?? input.success_url,
      subscriptionId: null,
      createdAt: state.now(),
    };
    state.save({ kind: 'checkouts', record: checkout });
    res.json(checkoutBody(checkout, pageOf(checkout)));
  });
  routes.get('/checkout/sessions/:id', (req, res) => {
    const checkout = plain(state.checkouts, ({ id }) => id === req.params.id, 'checkout.session', req.params.id);
    res.json(checkoutBody(checkout, pageOf(checkout)));
  });

  routes.post('/billing_portal/sessions', (req, res) => {
    const { customer, return_url: returnUrl } = read(portalInput, req.body);
    plain(state.customers, ({ id }) => id === customer, 'customer', customer);
    const portal = { id: state.newId('bps'), customerId: customer, returnUrl, createdAt: state.now() };
    state.save({ kind: 'portals', record: portal });
    const page = { url: `${url()}/portal/${portal.id}`, created: portal.createdAt, livemode: false };
    res.json({ id: portal.id, object: 'billing_portal.session', customer, return_url: returnUrl, ...page });
  });

  routes.get('/subscriptions', (req, res) => {
    const ofCustomer = state.subscriptions.filter(
      ({ customerId }) => req.query.customer === undefined || customerId === req.query.customer,
    );
    res.json(
      listBody(
        '/v1/subscriptions',
        ofCustomer.map(each => subscriptionBody(state, each)),
      ),
    );
  });
  const subscriptionOf = (req: Request) => {
    const wanted = String(req.params.id);
    return plain(state.subscriptions, ({ id }) => id === wanted, 'subscription', wanted);
  };
  routes.get('/subscriptions/:id', (req, res) => {
    res.json(subscriptionBody(state, subscriptionOf(req)));
  });
  routes.delete('/subscriptions/:id', (req, res) => {
    const subscription = subscriptionOf(req);
    // As at the vendor, a canceled subscription can't be canceled again.
    if (subscription.status === 'canceled') refuseMissing('subscription', subscription.id);
    actions.cancel(subscription);
    res.json(subscriptionBody(state, subscription));
  });

  routes.post('/customers', (req, res) => {
    res.json(customerBody(newCustomer(state, read(customerInput, req.body).email)));
  });
  routes.get('/customers/:id', (req, res) => {
    res.json(customerBody(plain(state.customers, ({ id }) => id === req.params.id, 'customer', req.params.id)));
  });
  routes.get('/prices', (_req, res) => {
    res.json(listBody('/v1/prices', state.prices.map(priceBody)));
  });
  routes.get('/prices/:id', (req, res) => {
    res.json(priceBody(plain(state.prices, ({ id }) => id === req.params.id, 'price', req.params.id)));
  });
  routes.get('/products', (_req, res) => {
    res.json(listBody('/v1/products', state.prices.map(productBody)));
  });
  routes.get('/events', (_req, res) => {
    res.json(listBody('/v1/events', state.events.toReversed().slice(0, 100).map(eventBody)));
  });
  routes.get('/events/:id', (req, res) => {
    res.json(eventBody(plain(state.events, ({ id }) => id === req.params.id, 'event', req.params.id)));
  });
  return routes;
}

function refuseMissing(what: string, id: string): never {
  throw missing(what, id);
}

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body ?? {});
  if (!error) return data;
  const param = error.issues[0]?.path.join('.') ?? '';
  throw new Refusal(400, { code: 'parameter_invalid', message: `Invalid or missing parameter: ${param}`, param });
}

function signedIn({ secretKey, count }: ApiDeps) {
  return async (req: Request, _res: Response, next: NextFunction) => {
    if (req.get('authorization') !== `Bearer ${secretKey}`) {
      throw new Refusal(401, { message: 'Invalid API Key provided.' });
    }
    const [, what = '', part = ''] = req.path.split('/');
    await count(`${req.method} ${what}${/^(sessions)$/.test(part) ? `/${part}` : ''}`);
    next();
  };
}

const MAX_KEYS = 1000;

/** A repeated POST with the same idempotency key gets the first answer again. */
function repeatable() {
  const answers = new Map<string, unknown>();
  return (req: Request, res: Response, next: NextFunction) => {
    const key = req.method === 'POST' ? req.get('idempotency-key') : undefined;
    if (key === undefined) return next();
    if (answers.has(key)) return res.set('Idempotent-Replayed', 'true').json(answers.get(key));
    const send = res.json.bind(res);
    res.json = body => {
      if (res.statusCode < 400) answers.set(key, body);
      const [oldest] = answers.keys();
      if (answers.size > MAX_KEYS && oldest !== undefined) answers.delete(oldest);
      return send(body);
    };
    next();
  };
}
