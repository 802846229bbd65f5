import { signUnsubscribe } from '../../src/features/base/mailing/rules.ts';
import { account, inAnHour, press, type Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

/** Nothing but what must be. */
const BARE = {
  ...{ MAIL_URL: '', MAIL_FROM: '', CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '' },
  ...{ PAYMENT_SECRET_KEY: '', PAYMENT_WEBHOOK_SECRET: '' },
  SANDBOX_URL: 'http://127.0.0.1:1',
};
const BY_KEY = {
  ...{ CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '', CRM_ACCESS_TOKEN: 'pat-eu1-of-nobody', OWNER_EMAIL: PEOPLE.regular },
};
const inAMonth = () => new Date(Date.now() + 30 * 86_400_000);
const PAID = { subscription_id: 'staged', customer_id: 'customer', plan: 'PRO', price_id: 'price' };

/** Someone whose plan is paid for, or was. */
const paid = (state: object) => async (stage: Stage) =>
  stage.service.db('subscriptions').insert({ ...PAID, user_id: await stage.idOf(PEOPLE.unlucky), ...state });
const unpaid = ({ service }: Stage) => service.db('subscriptions').where({ subscription_id: 'staged' }).del();
const billing = (name: string, state: () => object, query = ''): Scene => ({
  name: `Billing, ${name}`,
  ...{ who: PEOPLE.unlucky, path: `/settings/billing${query}` },
  before: stage => paid(state())(stage),
  after: unpaid,
});

const unsubscribing = (stage: Stage) => linkOf(stage, { mail: 'digest', mode: 'ALWAYS' });
const unsubscribingFromWeek = (stage: Stage) => linkOf(stage, { mail: 'week' });

async function linkOf(stage: Stage, mail: { mail: 'digest'; mode: 'ALWAYS' } | { mail: 'week' }): Promise<string> {
  const userId = await stage.idOf(PEOPLE.regular);
  const { SESSION_SECRET = '' } = stage.service.env;
  return `/mail/unsubscribe/${await signUnsubscribe(SESSION_SECRET, { userId, ...mail }, new Date())}`;
}

/** The CRM account of the regular user requires something of all that is written. */
const requiring = (name: string, path: string): Scene => ({
  ...{ name, path, abridged: path === '/today' },
  async before({ service, idOf }) {
    const own = {
      user_id: await idOf(PEOPLE.regular),
      portal_id: service.crm.portals()[0]?.id,
      noticed_at: new Date(),
    };
    const options = JSON.stringify([{ label: 'North', value: 'north' }]);
    await service.db('crm_requirements').insert([
      { ...own, object_type: 'notes', name: 'source', label: 'Source' },
      { ...own, object_type: 'tasks', name: 'region', label: 'Region', options, value: 'west', is_refused: true },
      { ...own, object_type: 'contacts', name: 'origin', label: 'Origin of the lead', value: 'Telegram' },
      { ...own, object_type: 'contacts', name: 'email', label: 'Email', may_fill: false },
    ]);
  },
  after: ({ service }) => service.db('crm_requirements').del(),
});

/** Settings, account, plan and mails in further states, and with other ways of setting up the server. */
export const accountScenes: Scene[] = [
  billing('paid', () => ({ status: 'active', current_period_end: inAMonth() }), '?checkout=success'),
  billing('payment failed', () => ({ status: 'past_due', current_period_end: inAMonth() })),
  billing('cancelled for later', () => ({ status: 'active', ends_at: inAMonth() })),
  billing('ended', () => ({ status: 'canceled' }), '?checkout=cancelled'),
  requiring('Settings, HubSpot requires properties', '/settings'),
  requiring('Today, HubSpot requires properties', '/today'),
  {
    name: 'Connect HubSpot by the key of the installation',
    path: async ({ webWith }) => `${await webWith(BY_KEY)}/settings/crm/key`,
  },
  { name: 'Billing, no payments here', path: async ({ webWith }) => `${await webWith(BARE)}/settings/billing` },
  { name: 'Settings, nothing set up here', path: async ({ webWith }) => `${await webWith(BARE)}/settings` },
  { name: 'Contacts, no CRM here', path: async ({ webWith }) => `${await webWith(BARE)}/contacts` },
  { name: 'Sign in, no mail here', who: null, path: async ({ webWith }) => `${await webWith(BARE)}/signin` },
  {
    name: 'Settings, mail saved',
    path: '/settings',
    async act(page) {
      await press(page, 'Save daily email');
      await page.locator('#mail-form [role="status"]').getByText('Saved').waitFor();
    },
  },
  {
    name: 'Settings, weekly mail saved',
    path: '/settings',
    async act(page) {
      await page.getByRole('switch', { name: 'Send me my week' }).check();
      await press(page, 'Save weekly email');
      await page.locator('#week-mail-form [role="status"]').getByText('The next weekly email comes').waitFor();
    },
  },
  {
    name: 'Settings, banned by Telegram',
    ...{ who: PEOPLE.unlucky, path: '/settings' },
    before: account({ status: 'banned' }),
    after: account({ status: 'active' }),
  },
  {
    name: 'Conversations, Telegram asks to wait',
    ...{ who: PEOPLE.unlucky, path: '/conversations' },
    before: async stage => account({ flood_until: inAnHour() })(stage),
    after: account({ flood_until: null }),
  },
  {
    name: 'Account, without a name',
    ...{ path: '/settings/account', expects: /^400 POST/ },
    async act(page) {
      await page.getByLabel('Your name').fill('');
      await page.locator('form', { has: page.locator('#name') }).evaluate(form => form.setAttribute('novalidate', ''));
      await press(page, 'Save name');
      await page.getByText('There is a problem').waitFor();
    },
  },
  {
    name: 'Account, keys turned off',
    path: '/settings/account',
    async act(page) {
      await page.getByRole('switch', { name: 'Single-key shortcuts', checked: true }).click();
      await page.getByRole('switch', { name: 'Single-key shortcuts', checked: false }).waitFor();
    },
  },
  {
    name: 'Account, delete, another address',
    ...{ path: '/settings/account/delete', expects: /^400 POST/ },
    async act(page) {
      await page.getByLabel('Your email, to confirm').fill('somebody@example.com');
      await press(page, 'Delete my account');
      await page.getByText('There is a problem').waitFor();
    },
  },
  { name: 'Goodbye, not everybody was told', who: null, path: '/goodbye?left=messenger,crm,payments' },
  { name: 'Link sent, to an inbox we know', who: null, path: '/signin/sent?email=nora@gmail.com' },
  { name: 'Mails, stop them', who: null, path: unsubscribing },
  {
    name: 'Mails, stopped',
    ...{ who: null, path: unsubscribing },
    async act(page) {
      await press(page, 'Stop the daily email');
      await page.getByRole('heading', { name: 'The daily email is off' }).waitFor();
    },
  },
  {
    name: 'Mails, coming again',
    ...{ who: null, path: unsubscribing },
    async act(page) {
      await press(page, 'Stop the daily email');
      await press(page, 'Turn the daily email back on');
      await page.getByRole('heading', { name: 'The daily email is back on' }).waitFor();
    },
  },
  {
    name: 'Mails, the weekly one stopped and coming again',
    ...{ who: null, path: unsubscribingFromWeek },
    async act(page) {
      await press(page, 'Stop the weekly email');
      await page.getByRole('heading', { name: 'The weekly email is off' }).waitFor();
      await press(page, 'Turn the weekly email back on');
      await page.getByRole('heading', { name: 'The weekly email is back on' }).waitFor();
    },
  },
];
