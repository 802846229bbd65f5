import type { Page } from 'playwright-core';
import { secretsOf } from '../support/people.ts';
import { press, type Scene } from './scene.ts';
import { PEOPLE, PROTECTED_PHONE, putSync, type Stage, takeSync } from './stage.ts';

async function toCode(page: Page, { service }: Stage): Promise<string> {
  await page.getByLabel('Phone number').fill(PROTECTED_PHONE);
  await press(page, 'Send the code');
  await page.waitForURL('**/connect/code');
  return secretsOf(service, PROTECTED_PHONE).code;
}

async function toPassword(page: Page, stage: Stage) {
  await page.getByLabel('Code from Telegram').fill(await toCode(page, stage));
  await press(page, 'Check code');
  await page.waitForURL('**/connect/password');
}

async function toScan(page: Page) {
  await press(page, 'Show a code to scan');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
}

const newestOf = async ({ service }: Stage, dialogId: string) =>
  service.db('digests').where({ dialog_id: dialogId }).whereNot({ summary: '' }).orderBy('digest_date', 'desc').first();

const rewrite = (change: object) => async (stage: Stage) => {
  const { id, user_id } = await newestOf(stage, await stage.conversation('Farid'));
  const asked = { digest_id: id, user_id, request_id: id, style: 'DETAILED', touched_at: new Date() };
  await stage.service.db('digest_rewrites').insert({ ...asked, ...change });
};
const forgetRewrites = ({ service }: Stage) => service.db('digest_rewrites').del();
const farid = async (stage: Stage) => `/conversations/${await stage.conversation('Farid')}`;
const SYNC = { state: 'active', conversations_total: 6, conversations_done: 2, digests_created: 0 };

/** Further steps of what takes several, and what comes while someone looks. */
export const stepScenes: Scene[] = [
  { name: 'Connect, password', who: PEOPLE.newcomer, path: '/connect', act: toPassword },
  { name: 'Connect, a code to scan', who: PEOPLE.newcomer, path: '/connect', act: toScan },
  {
    name: 'Conversation, not written again',
    path: farid,
    before: rewrite({ state: 'failed', reason: 'AI_UNAVAILABLE' }),
    after: forgetRewrites,
    act: async page => page.locator('.again > summary').first().click(),
  },
  {
    name: 'Today, new digests',
    ...{ who: PEOPLE.unlucky, path: '/today' },
    before: stage => putSync(stage, PEOPLE.unlucky, SYNC),
    async act(page, { service }) {
      await service.db('sync_jobs').where({ id: 'sync:staged' }).update({ digests_created: 3 });
      await page.getByRole('link', { name: '3 new digests: Show' }).waitFor();
    },
    after: takeSync,
  },
];
