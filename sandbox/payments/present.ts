import { isAlive } from './actions.ts';
import type { Checkout, Event, Portal, Price, Subscription } from './records.ts';
import type { PaymentsState } from './state.ts';

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', minimumFractionDigits: 0 });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const SHOWN_EVENTS = 50;

const STATUS_WORDS: Record<Subscription['status'], string> = {
  active: 'Active',
  past_due: 'Past due',
  unpaid: 'Unpaid',
  canceled: 'Cancelled',
};

export function presentOverview(state: PaymentsState) {
  return {
    prices: state.prices.map(priceWords),
    subscriptions: state.subscriptions.toReversed().map(each => presentSubscription(state, each)),
    events: state.events.toReversed().slice(0, SHOWN_EVENTS).map(presentEvent),
  };
}

export function presentCheckout(state: PaymentsState, checkout: Checkout) {
  const { id, email, cancelUrl, subscriptionId, successUrl } = checkout;
  const price = state.prices.find(each => each.id === checkout.priceId);
  const isPaid = subscriptionId !== null;
  return { id, email, cancelUrl, successUrl, isPaid, price: price && priceWords(price) };
}

export function presentPortal(state: PaymentsState, { id, customerId, returnUrl }: Portal) {
  const subscriptions = state.subscriptions.filter(each => each.customerId === customerId).reverse();
  return {
    id,
    returnUrl,
    email: state.customers.find(each => each.id === customerId)?.email ?? '',
    subscriptions: subscriptions.map(each => ({
      ...presentSubscription(state, each),
      others: state.prices.filter(price => price.id !== each.priceId).map(priceWords),
    })),
  };
}

function presentSubscription(state: PaymentsState, subscription: Subscription) {
  const { id, customerId, status, endsWithPeriod, failsNext, periodEnd } = subscription;
  const price = state.prices.find(each => each.id === subscription.priceId);
  const until = day.format(periodEnd * 1000);
  const renewal = endsWithPeriod ? `Ends on ${until}` : `Renews on ${until}`;
  return {
    id,
    email: state.customers.find(each => each.id === customerId)?.email ?? '',
    plan: price?.name ?? '',
    price: price && priceWords(price),
    status: STATUS_WORDS[status],
    renewal: isAlive(subscription) ? renewal : '',
    isAlive: isAlive(subscription),
    isPastDue: status === 'past_due',
    endsWithPeriod,
    failsNext,
  };
}

function priceWords({ id, name, amount }: Price) {
  return { id, name, words: `${money.format(amount / 100)} a month` };
}

function presentEvent({ id, type, createdAt, tries, answer, dueAt }: Event) {
  return { id, type, at: time.format(createdAt * 1000), outcome: outcomeOf({ tries, answer, dueAt }) };
}

function outcomeOf({ tries, answer, dueAt }: Pick<Event, 'tries' | 'answer' | 'dueAt'>): string {
  if (answer === null) return 'Sending';
  const said = answer === 0 ? 'No answer' : `Answered ${answer}`;
  const again = dueAt === null ? '' : ', will be retried';
  return `${said}${again}${tries > 1 ? ` (${tries} tries)` : ''}`;
}
