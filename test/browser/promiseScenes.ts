import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const who = PEOPLE.settled;

async function openFirst(page: Page) {
  await page.locator('.prom summary').first().click();
  await page.locator('.prom .menu > summary').first().click();
  await page.locator('.menu-p').first().waitFor();
}

async function openPromise({ service, idOf }: Stage): Promise<string> {
  const owned = { user_id: await idOf(PEOPLE.regular), state: 'open' };
  return (await service.db('promises').where(owned).first('id')).id;
}

async function openTable(page: Page) {
  await page.getByText('As a table').click();
  await page.getByRole('table').waitFor();
}

/** Promises by due day, each decision on them, and what is shown of it. */
export const promiseScenes: Scene[] = [
  { name: 'The week of one with a month of promises', who, path: '/week', act: openTable },
  { name: 'Promises', who, path: '/promises' },
  { name: 'Promises, open in place, with Later', path: '/promises', act: openFirst, abridged: true },
  { name: 'Promises, who waits for an answer', who, path: '/promises?view=waiting' },
  { name: 'Add a promise, the line', path: '/promises/new' },
  { name: 'Add a promise, what was read', path: '/promises/new?text=Call%20Katrin%20tomorrow%209:00' },
  { name: 'Edit a promise', path: async stage => `/promises/${await openPromise(stage)}/edit` },
];
