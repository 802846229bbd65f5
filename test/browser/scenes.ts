import type { Page } from 'playwright-core';
import { accountScenes } from './accountScenes.ts';
import { appScenes } from './appScenes.ts';
import { askScenes } from './askScenes.ts';
import { consentScenes } from './consentScenes.ts';
import { mailScenes } from './mailScenes.ts';
import { monthScenes } from './monthScenes.ts';
import { promiseScenes } from './promiseScenes.ts';
import { press, type Scene } from './scene.ts';
import { ADMIN_KEY, PEOPLE, putSync, type Stage, takeSync } from './stage.ts';
import { stepScenes } from './stepScenes.ts';

const UNREACHABLE = { code: 'AI_UNAVAILABLE', message: 'The summary service couldn’t be reached.' };
const PARTLY_FAILED = {
  ...{ state: 'completed', conversations_total: 6, conversations_done: 6, dialogs_processed: 6, digests_created: 5 },
  errors: JSON.stringify([{ dialogId: null, peerName: 'Person 5001', stage: 'fetch', ...UNREACHABLE, retryable: true }]),
  finished_at: new Date(),
};

const signIn: Scene[] = [{ name: 'Sign in', who: null, path: '/signin' }];

const today: Scene[] = [
  { name: 'Today', path: '/today' },
  { name: 'Today, nothing connected', who: PEOPLE.newcomer, path: '/today' },
  ...['everything', 'failed'].map(view => ({
    name: `Today, ${view}`,
    path: `/today?view=${view}`,
    abridged: view === 'everything',
  })),
  {
    name: 'Today, sync partly failed',
    ...{ who: PEOPLE.unlucky, path: '/today' },
    before: stage => putSync(stage, PEOPLE.unlucky, PARTLY_FAILED),
    act: unfold,
    after: takeSync,
  },
];

const contacts: Scene[] = [
  { name: 'Contacts', path: '/contacts' },
  {
    name: 'Contacts, the dialog of many',
    path: '/contacts',
    async act(page) {
      await page.getByRole('link', { name: /^Review \d/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'Contacts, create with errors',
    path: async stage => `/contacts/${await stage.conversation('Claire')}/create`,
    expects: /^400 POST/,
    async act(page) {
      await page.getByLabel('First name').fill('');
      await page.getByLabel('Last name').fill('');
      await page.getByLabel('Email').fill('nowhere');
      await press(page, 'Create contact');
      await page.getByText('There is a problem').waitFor();
    },
  },
];

/** Whatever can be opened is open. */
async function unfold(page: Page) {
  for (const fold of await page.locator('details.fold:not([open])').all()) {
    await fold.locator('summary').click();
  }
}

const connecting: Scene[] = [
  { name: 'Connect, phone', who: PEOPLE.newcomer, path: '/connect' },
  {
    name: 'Connect, wrong phone',
    ...{ who: PEOPLE.newcomer, path: '/connect', expects: /^400 POST/ },
    async act(page) {
      await page.getByLabel('Phone number').fill('0171');
      await press(page, 'Send the code');
      await page.getByText('There is a problem').waitFor();
    },
  },
];

const settings: Scene[] = [
  { name: 'Settings', path: '/settings' },
  { name: 'Settings, nothing connected', who: PEOPLE.newcomer, path: '/settings' },
  { name: 'Conversations', path: '/conversations' },
  {
    name: 'Disconnect Telegram',
    async path({ service, idOf }) {
      const userId = await idOf(PEOPLE.regular);
      const { id } = await service.db('messenger_accounts').where({ user_id: userId }).first('id');
      return `/settings/connections/${id}/disconnect`;
    },
  },
  { name: 'Disconnect the CRM', path: '/settings/crm/disconnect' },
  { name: 'Billing', path: '/settings/billing' },
];

const digestOf = async ({ service }: Stage, dialogId: string) =>
  service.db('digests').where({ dialog_id: dialogId }).whereNot('summary', '').orderBy('digest_date', 'desc').first();
const later: Scene[] = [
  { name: 'First run, Telegram', who: PEOPLE.newcomer, path: '/start' },
  { name: 'First run, CRM', who: PEOPLE.beginner, path: '/start' },
  {
    name: 'First run, time',
    ...{ who: PEOPLE.beginner, path: '/start' },
    async act(page) {
      await press(page, 'Do it later');
      await page.getByRole('heading', { name: 'Finally, choose a time' }).waitFor();
    },
  },
  { name: 'Conversation', path: async stage => `/conversations/${await stage.conversation('Farid')}` },
  { name: 'Conversation, right to left', path: async stage => `/conversations/${await stage.conversation('نور')}` },
  {
    name: 'One digest',
    path: async stage => `/digests/${(await digestOf(stage, await stage.conversation('Farid'))).id}`,
    abridged: true,
  },
  { name: 'Today, search', path: '/today?q=contract' },
  { name: 'Today, as a table', path: '/today?view=table' },
  { name: 'Account', path: '/settings/account' },
  { name: 'Account, delete', path: '/settings/account/delete' },
  { name: 'Privacy', path: '/privacy' },
  { name: 'Goodbye', who: null, path: '/goodbye' },
  { name: 'Link sent', who: null, path: '/signin/sent' },
  { name: 'Sign-in link, unknown', who: null, path: '/auth/confirm?token=none', expects: /^400/ },
  { name: 'API description', who: null, path: '/api/docs' },
];

const others: Scene[] = [
  { name: 'Nothing here', path: '/nowhere', expects: /^404/ },
  {
    name: 'Something broke',
    ...{ path: '/today', expects: /^500/ },
    before: ({ service }) => service.db.raw('alter table digests rename to digests_away'),
    after: ({ service }) => service.db.raw('alter table digests_away rename to digests'),
  },
  { name: 'Status', who: null, path: `/status?key=${encodeURIComponent(ADMIN_KEY)}` },
];

export const SCENES: Scene[] = [
  ...signIn,
  ...today,
  ...later,
  ...others,
  ...askScenes,
  ...monthScenes,
  ...promiseScenes,
  ...contacts,
  ...connecting,
  ...settings,
  ...accountScenes,
  ...appScenes,
  ...consentScenes,
  ...stepScenes,
  ...mailScenes,
];
