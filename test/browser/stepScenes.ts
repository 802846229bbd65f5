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

const SYNC = { state: 'active', conversations_total: 6, conversations_done: 2, digests_created: 0 };

/** Further steps of what takes several, and what comes while someone looks. */
export const stepScenes: Scene[] = [
  { name: 'Connect, password', who: PEOPLE.newcomer, path: '/connect', act: toPassword },
  { name: 'Connect, a code to scan', who: PEOPLE.newcomer, path: '/connect', act: toScan },
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
