import type { Page } from 'playwright-core';
import { secretsOf } from '../support/people.ts';
import { accountScenes } from './accountScenes.ts';
import { appScenes } from './appScenes.ts';
import { askScenes } from './askScenes.ts';
import { consentScenes } from './consentScenes.ts';
import { errorScenes } from './errorScenes.ts';
import { mailScenes } from './mailScenes.ts';
import { monthScenes } from './monthScenes.ts';
import { promiseScenes } from './promiseScenes.ts';
import { account, connection, inAnHour, press, type Scene, syncedDaysAgo } from './scene.ts';
import { sourceScenes } from './sourceScenes.ts';
import { ADMIN_KEY, PEOPLE, putSync, type Stage, takeSync } from './stage.ts';
import { statusScenes } from './statusScenes.ts';
import { stepScenes } from './stepScenes.ts';

const error = (code: string, message: string) => {
  return { dialogId: null, peerName: 'Person 5001', stage: 'fetch', code, message, retryable: true };
};
const SYNCS: Record<string, object> = {
  waiting: { state: 'waiting' },
  running: { state: 'active', conversations_total: 6, conversations_done: 2, dialogs_processed: 2, digests_created: 1 },
  'waiting for Telegram': { state: 'active', conversations_total: 6, conversations_done: 2, waits_until: inAnHour() },
  'partly failed': {
    ...{ state: 'completed', conversations_total: 6, conversations_done: 6, dialogs_processed: 6, digests_created: 5 },
    errors: JSON.stringify([error('AI_UNAVAILABLE', 'The summary service couldn’t be reached.')]),
    finished_at: new Date(),
  },
  failed: {
    ...{ state: 'failed', finished_at: new Date() },
    errors: JSON.stringify([error('MESSENGER_UNAVAILABLE', 'Telegram can’t be reached right now.')]),
  },
};

const signIn: Scene[] = [
  { name: 'Sign in', who: null, path: '/signin' },
  {
    name: 'Sign in, wrong address',
    ...{ who: null, path: '/signin', expects: /^400 POST/ },
    async act(page) {
      await page.locator('#dev-email').evaluate(field => Object.assign(field, { type: 'text', value: 'nobody' }));
      await press(page, 'Sign in without email');
      await page.getByText('There is a problem').waitFor();
    },
  },
];

const today: Scene[] = [
  { name: 'Today, nothing connected', who: PEOPLE.newcomer, path: '/today' },
  { name: 'Today', path: '/today' },
  ...['urgent', 'everything', 'failed', 'skipped'].map(view => ({
    name: `Today, ${view}`,
    path: `/today?view=${view}`,
    abridged: view === 'everything',
  })),
  { name: 'Today, a day without digests', path: '/today?day=2024-02-29' },
  ...Object.entries(SYNCS).map(([name, job]) => ({
    name: `Today, sync ${name}`,
    ...{ who: PEOPLE.unlucky, path: '/today' },
    before: (stage: Stage) => putSync(stage, PEOPLE.unlucky, job),
    act: unfold,
    after: takeSync,
  })),
  {
    name: 'Today, signed out by Telegram',
    ...{ who: PEOPLE.unlucky, path: '/today' },
    before: account({ status: 'expired' }),
    after: account({ status: 'active' }),
  },
  {
    name: 'Today, Telegram asks to wait',
    ...{ who: PEOPLE.unlucky, path: '/today' },
    before: account({ flood_until: inAnHour() }),
    after: account({ flood_until: null }),
  },
  {
    name: 'Today, signed out by the CRM',
    ...{ path: '/today', abridged: true },
    before: connection({ status: 'expired' }),
    after: connection({ status: 'active' }),
  },
];

const contacts: Scene[] = [
  { name: 'Contacts, nothing connected', who: PEOPLE.newcomer, path: '/contacts' },
  { name: 'Contacts', path: '/contacts' },
  ...['unmatched', 'automatic', 'confirmed', 'created', 'ignored', 'all'].map(view => ({
    name: `Contacts, ${view}`,
    path: `/contacts?view=${view}`,
  })),
  { name: 'Contacts, confirm together', path: '/contacts/bulk' },
  {
    name: 'Contacts, the dialog of many',
    path: '/contacts',
    async act(page) {
      await page.getByRole('link', { name: /^Review \d/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'Contacts, decided just now',
    path: async stage => `/contacts?view=unmatched&id=${await stage.conversation('Hanna')}`,
    async act(page) {
      await press(page, /^Ignore/);
      await page.locator('.toast').waitFor();
    },
  },
  { name: 'Contacts, create', path: async stage => `/contacts/${await stage.conversation('Claire')}/create` },
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
  {
    name: 'Contacts, a search that finds nobody',
    path: async stage => `/contacts?view=all&id=${await stage.conversation('Claire')}&q=Blupeak`,
  },
  {
    name: 'Contacts, signed out by the CRM',
    path: '/contacts',
    before: connection({ status: 'expired' }),
    after: connection({ status: 'active' }),
  },
];

/** Whatever can be opened is open. */
async function unfold(page: Page) {
  for (const fold of await page.locator('details.fold:not([open])').all()) {
    await fold.locator('summary').click();
  }
}

const phoneStep = async (page: Page, { service }: Stage) => {
  await page.getByLabel('Phone number').fill('+34600111333');
  await press(page, 'Send the code');
  await page.waitForURL('**/connect/code');
  return secretsOf(service, '+34600111333').code;
};
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
  { name: 'Connect, code', who: PEOPLE.newcomer, path: '/connect', act: phoneStep },
  {
    name: 'Connect, wrong code',
    ...{ who: PEOPLE.newcomer, path: '/connect', expects: /^400 POST/ },
    async act(page, stage) {
      await phoneStep(page, stage);
      await page.getByLabel('Code from Telegram').fill('00000');
      await press(page, 'Check code');
      await page.getByText('There is a problem').waitFor();
    },
  },
  {
    name: 'Connect, Telegram asks to wait',
    ...{ who: PEOPLE.newcomer, path: '/connect', expects: /^429 POST/ },
    before: async ({ service }) =>
      service.sandbox.faults.next({ on: 'auth.SendCode', status: 420, message: 'FLOOD_WAIT_1800' }),
    async act(page) {
      await page.getByLabel('Phone number').fill('+34600111333');
      await press(page, 'Send the code');
      await page.getByText('Telegram asks us to wait').waitFor();
    },
    after: async ({ service }) => service.sandbox.faults.clear(),
  },
];

const settings: Scene[] = [
  { name: 'Settings, nothing connected', who: PEOPLE.newcomer, path: '/settings' },
  { name: 'Settings', path: '/settings' },
  {
    name: 'Settings, saved',
    path: '/settings',
    async act(page) {
      await press(page, 'Save digest settings');
      await page.getByText('Saved').first().waitFor();
    },
  },
  {
    name: 'Settings, with errors',
    ...{ path: '/settings', expects: /^400 POST/ },
    async act(page) {
      await page.getByLabel('Minimum new messages for a digest').fill('many');
      await press(page, 'Save digest settings');
      await page.getByText('There is a problem').waitFor();
    },
  },
  {
    name: 'Settings, everything expired',
    ...{ who: PEOPLE.unlucky, path: '/settings' },
    before: account({ status: 'expired' }),
    after: account({ status: 'active' }),
  },
  { name: 'Conversations', path: '/conversations' },
  { name: 'Conversations, none', who: PEOPLE.newcomer, path: '/conversations' },
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
  { name: 'Billing, bought', path: '/settings/billing?checkout=success' },
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
  ...sourceScenes,
  { name: 'Conversation, right to left', path: async stage => `/conversations/${await stage.conversation('نور')}` },
  { name: 'Conversation, quiet', path: async stage => `/conversations/${await stage.conversation('Hanna')}` },
  {
    name: 'One digest',
    path: async stage => `/digests/${(await digestOf(stage, await stage.conversation('Farid'))).id}`,
    abridged: true,
  },
  { name: 'Today, last read on another day', path: '/today', abridged: true, ...syncedDaysAgo(1) },
  { name: 'Today, search', path: '/today?q=contract' },
  { name: 'Today, search that finds nothing', path: '/today?q=blupeak' },
  { name: 'Today, as a table', path: '/today?view=table' },
  {
    name: 'Today, decided just now, and opened in place',
    ...{ path: '/today', abridged: true },
    async act(page) {
      await press(page, /^Done:/);
      await page.locator('.toast').waitFor();
      await page.locator('.prom summary').first().click();
      await page.locator('.line summary').first().click();
    },
  },
  { name: 'Account', path: '/settings/account' },
  { name: 'Account, delete', path: '/settings/account/delete' },
  { name: 'Privacy', path: '/privacy' },
  { name: 'Privacy, signed out', who: null, path: '/privacy' },
  { name: 'Goodbye', who: null, path: '/goodbye' },
  { name: 'Link sent', who: null, path: '/signin/sent' },
  { name: 'Sign-in link, unknown', who: null, path: '/auth/confirm?token=none', expects: /^400/ },
  { name: 'The mail server’s stand-in', who: null, path: ({ service }) => service.mail.url },
  { name: 'API description', who: null, path: '/api/docs' },
];

const others: Scene[] = [
  { name: 'Status', who: null, path: `/status?key=${encodeURIComponent(ADMIN_KEY)}` },
  { name: 'Status, wrong key', who: null, path: '/status?key=wrong', expects: /^401/ },
  { name: 'The CRM’s stand-in', who: null, path: ({ service }) => service.crm.url },
  { name: 'The payment provider’s stand-in', who: null, path: ({ service }) => service.payments.url },
];

/** What is read: the days, the conversations, and what the operator and everybody may see. */
export const READING_SCENES: Scene[] = [
  ...signIn,
  ...today,
  ...later,
  ...others,
  ...askScenes,
  ...monthScenes,
  ...promiseScenes,
  ...statusScenes,
];

/** What is decided, set up and filled in, and what is refused. */
export const DECIDING_SCENES: Scene[] = [
  ...contacts,
  ...connecting,
  ...settings,
  ...accountScenes,
  ...appScenes,
  ...consentScenes,
  ...stepScenes,
  ...mailScenes,
  ...errorScenes,
];
