import { signUnsubscribe } from '../../src/features/base/mailing/rules.ts';
import { account, type Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const BY_KEY = {
  ...{ CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '', CRM_ACCESS_TOKEN: 'pat-eu1-of-nobody', OWNER_EMAIL: PEOPLE.regular },
};
const PAID = { subscription_id: 'staged', customer_id: 'customer', plan: 'PRO', price_id: 'price' };

const unsubscribing = async (stage: Stage) => {
  const link = { userId: await stage.idOf(PEOPLE.regular), mail: 'digest', mode: 'ALWAYS' } as const;
  return `/mail/unsubscribe/${await signUnsubscribe(stage.service.env.SESSION_SECRET ?? '', link, new Date())}`;
};

/** Settings, account, plan and mails in further states, and with other ways of setting up the server. */
export const accountScenes: Scene[] = [
  {
    name: 'Billing, paid',
    ...{ who: PEOPLE.unlucky, path: '/settings/billing?checkout=success' },
    before: async ({ service, idOf }) => {
      const until = { status: 'active', current_period_end: new Date(Date.now() + 30 * 86_400_000) };
      await service.db('subscriptions').insert({ ...PAID, ...until, user_id: await idOf(PEOPLE.unlucky) });
    },
    after: ({ service }) => service.db('subscriptions').where({ subscription_id: 'staged' }).del(),
  },
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
