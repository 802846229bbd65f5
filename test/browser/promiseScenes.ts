import type { Page } from 'playwright-core';
import { dayAgo } from '../features/pages/today/stored.ts';
import { press, type Scene } from './scene.ts';
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

async function pinAndOpen(page: Page) {
  await page.locator('.prom .say > summary').first().click();
  await press(page, /^Pin(ned)? ?:/);
  await page.locator('.toast').waitFor();
}

/** Promises by due day, each decision on them, and what is shown of it. */
export const promiseScenes: Scene[] = [
  { name: 'Promises, none', who: PEOPLE.newcomer, path: '/promises' },
  { name: 'The week, none yet', who: PEOPLE.newcomer, path: '/week' },
  { name: 'The week of one with a month of promises', who, path: '/week', act: openTable },
  { name: 'The week before', who, path: () => `/week?week=${dayAgo(7)}` },
  { name: 'The week, one list of it', who, path: '/week?list=late' },
  { name: 'Promises', who, path: '/promises' },
  { name: 'Promises, open in place, with Later', path: '/promises', act: openFirst, abridged: true },
  { name: 'Promises of others', who, path: '/promises?view=theirs', abridged: true },
  { name: 'Who waits for an answer', who, path: '/promises?view=waiting' },
  {
    name: 'Who waits for an answer, one dismissed just now',
    who,
    path: '/promises?view=waiting',
    async act(page) {
      await press(page, /^No answer needed/);
      await page.locator('.toast').waitFor();
    },
  },
  {
    name: 'Promises, checked together',
    path: '/promises',
    abridged: true,
    async act(page) {
      await page.getByRole('link', { name: 'Select' }).first().click();
      await page.getByRole('link', { name: /^Select all/ }).click();
      await page.locator('.pick:checked').first().waitFor();
    },
  },
  {
    name: 'Promises, put off just now',
    path: '/promises',
    async act(page) {
      await openFirst(page);
      await press(page, /^Tomorrow/);
      await page.locator('.toast').waitFor();
      await page.goto(new URL('/promises?view=put-off', page.url()).href);
    },
  },
  {
    name: 'Promises, done just now',
    path: '/promises',
    abridged: true,
    async act(page) {
      await press(page, /^Done:/);
      await page.locator('.toast').waitFor();
    },
  },
  {
    name: 'Conversation, pinned just now, with a promise open in place',
    path: async stage => `/conversations/${await stage.conversation('Farid')}`,
    act: pinAndOpen,
  },
  {
    name: 'Conversations, with the menu of one',
    path: '/conversations',
    abridged: true,
    async act(page) {
      await page.locator('.conversation .menu > summary').first().click();
      await page.locator('.menu-p').first().waitFor();
    },
  },
  { name: 'Add a promise, the line', path: '/promises/new' },
  { name: 'Add a promise, what was read', path: '/promises/new?text=Call%20Katrin%20tomorrow%209:00' },
  {
    name: 'Add a promise, with errors',
    ...{ path: '/promises/new?text=Call%20tomorrow%209:00', expects: /^400 POST/ },
    async act(page) {
      await page.getByLabel('Day').fill('');
      await press(page, 'Add promise');
      await page.getByText('There is a problem').waitFor();
    },
  },
  { name: 'Edit a promise', path: async stage => `/promises/${await openPromise(stage)}/edit` },
  {
    name: 'Promises, closed',
    path: '/promises?view=closed',
    act: page => page.locator('.prom summary').first().click(),
  },
];
