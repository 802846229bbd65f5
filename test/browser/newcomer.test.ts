import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { World } from '../../sandbox/messenger/world.ts';
import { freePort } from '../support/freePort.ts';
import { secretsOf } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { dialog, message, person, world } from '../support/worlds.ts';
import { inBrowser, tabTo } from './browser.ts';

const PASSWORD = 'the second factor';
/** Each with a customer of their own: whom one of them confirms is known to the CRM from then on. */
const NEWCOMERS = [
  { way: 'with-script', phone: '+34600111201', knows: ['Irina', 'Sokolova'] },
  { way: 'without-script', phone: '+34600111202', knows: ['Bruno', 'Keller'] },
  { way: 'by-keyboard', phone: '+34600111203', knows: ['Amara', 'Diallo'] },
] as const;
type Newcomer = (typeof NEWCOMERS)[number];
type Way = Newcomer['way'];

/** Two conversations: with someone whose name is in the CRM, and with no one it knows. */
function worldOf({ way, phone, knows: [firstName, lastName] }: Newcomer, index: number): World {
  const owner = person(1000 + index, { firstName: 'Nora', lastName: 'Lind', phone });
  const known = person(6001 + index, { firstName, lastName, isContact: true });
  const kwame = person(7001, { firstName: 'Kwame', lastName: 'Boateng', isContact: true });
  const lines = ['Could you send me the signed offer by tomorrow? It is urgent.', 'I will send it today.'];
  const chat = (id: number) =>
    dialog(`user:${id}`, [
      message(id * 10, { from: id, text: lines[0] ?? '' }),
      message(id * 10 + 1, { from: owner.id, text: lines[1] ?? '' }),
    ]);
  return world({
    ...{ key: way, owner, password: PASSWORD },
    ...{ users: [known, kwame], dialogs: [chat(known.id), chat(kwame.id)] },
  });
}

inBrowser('A newcomer', tester => {
  let service: Service;

  before(async () => {
    const contacts = NEWCOMERS.map(({ knows: [firstname, lastname] }, index) => {
      return { id: String(501 + index), firstname, lastname, company: 'Meridian Clinics' };
    });
    service = await startService({ port: await freePort(), worlds: NEWCOMERS.map(worldOf), crm: contacts });
  });
  after(stopServices);

  /** What someone does by pointing and typing, or by keys alone. */
  type Hand = {
    press(page: Page, button: string | RegExp): Promise<void>;
    follow(page: Page, link: string | RegExp): Promise<void>;
    type(page: Page, field: string, text: string): Promise<void>;
  };
  const pointing: Hand = {
    press: (page, name) => page.getByRole('button', { name }).locator('visible=true').first().click(),
    follow: (page, name) => page.getByRole('link', { name }).locator('visible=true').first().click(),
    type: (page, label, text) => page.getByLabel(label, { exact: true }).fill(text),
  };
  const keys: Hand = {
    async press(page, name) {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    },
    async follow(page, name) {
      await tabTo(page, name, 'link');
      await page.keyboard.press('Enter');
    },
    async type(page, label, text) {
      await tabTo(page, label, 'textbox');
      await page.keyboard.type(text);
    },
  };

  /** From the sign-in to the first confirmed match, by the pages alone. */
  async function comesToAFirstMatch(way: Way, page: Page, { press, follow, type }: Hand) {
    const { phone, knows } = NEWCOMERS.find(one => one.way === way) ?? NEWCOMERS[0];
    const name = knows.join(' ');
    await page.goto(service.url);
    await type(page, 'Email', `${way}@example.com`);
    await press(page, 'Sign in without email');
    await follow(page, 'Connect Telegram');
    await type(page, 'Phone number', phone);
    await press(page, 'Send the code');
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    await type(page, 'Code from Telegram', secretsOf(service, phone).code);
    await press(page, 'Check code');
    await page.getByRole('heading', { name: 'Enter your Telegram password' }).waitFor();
    await type(page, 'Two-step verification password', PASSWORD);
    await press(page, 'Connect');
    await page.getByText('conversations found').or(page.getByText('conversation found')).waitFor();
    await press(page, 'Do it later');
    await page.getByRole('heading', { name: 'Finally, choose a time' }).waitFor();
    // Only a script can tell it.
    if (way === 'without-script') await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await press(page, 'Get my first digest');
    // Where another digest was there already when the page came, those after it are offered.
    const offered = page.getByRole('link', { name: /new digests?: Show/ });
    const digest = page.locator('details.line > summary', { hasText: name });
    await digest
      .or(offered)
      .first()
      .waitFor()
      .then(async () => (await offered.isVisible()) && offered.click())
      .then(() => digest.waitFor())
      .catch(async (err: Error) => {
        const said = await page.locator('#sync').innerText();
        throw new Error(`No digest came. The page says: ${said}`, { cause: err });
      });
    await follow(page, 'Contacts');
    await follow(page, 'Connect the CRM');
    await press(page, 'Allow');
    await page.waitForURL('**/settings*');
    await follow(page, 'Today');
    await press(page, 'Sync now');
    await until(async () => (await conversationOf(way, name)).match_status === 'AUTO_NAME');
    await follow(page, 'Contacts');
    await page.getByRole('heading', { name }).waitFor();
    await press(page, /^Confirm/);
    await page.getByText(`${name} confirmed`).first().waitFor();
    const { match_status, crm_contact_id } = await conversationOf(way, name);
    expect({ match_status, crm_contact_id }).to.deep.equal({ match_status: 'CONFIRMED', crm_contact_id: idOf(way) });
  }

  const idOf = (way: Way) => String(501 + NEWCOMERS.findIndex(one => one.way === way));

  function conversationOf(way: Way, name: string) {
    const ofThem = service.db('dialogs').join('users', 'users.id', 'dialogs.user_id');
    return ofThem.where({ 'users.email': `${way}@example.com`, peer_name: name }).first('match_status', 'crm_contact_id');
  }

  it('gets from sign-in to the first confirmed match', async () => {
    await comesToAFirstMatch('with-script', await tester.open(), pointing);
  });

  it('gets there with JavaScript off', async () => {
    await comesToAFirstMatch('without-script', await tester.open({ javaScript: false }), pointing);
  });

  it('gets there with the keyboard alone @thorough', async () => {
    await comesToAFirstMatch('by-keyboard', await tester.open(), keys);
  });
});
