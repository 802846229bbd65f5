import { signUnsubscribe } from '../../src/features/base/mailing/rules.ts';
import { account, type Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

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
  requiring('Settings, HubSpot requires properties', '/settings'),
  {
    name: 'Connect HubSpot by the key of the installation',
    path: async ({ webWith }) => `${await webWith(BY_KEY)}/settings/crm/key`,
  },
  {
    name: 'Settings, banned by Telegram',
    ...{ who: PEOPLE.unlucky, path: '/settings' },
    before: account({ status: 'banned' }),
    after: account({ status: 'active' }),
  },
  { name: 'Mails, stop them', who: null, path: unsubscribing },
];
