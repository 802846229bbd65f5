import type { Page } from 'playwright-core';
import { press, type Scene } from './scene.ts';

const MANY = 'many@example.com';

/** A form that is larger than any may be, sent by the browser or by the page's script. */
async function sendTooMuch(page: Page, by: 'submit' | 'requestSubmit') {
  await page.evaluate(`(() => {
    const form = document.querySelector('#settings-form');
    const more = document.createElement('input');
    Object.assign(more, { type: 'hidden', name: 'more', value: 'x'.repeat(20_000) });
    form.append(more);
    form.${by}();
  })()`);
  await page.getByText('This is too large to be accepted').first().waitFor();
}

export const errorScenes: Scene[] = [
  { name: 'Nothing here', path: '/nowhere', expects: /^404/ },
  { name: 'Nothing here, signed out', who: null, path: '/nowhere', expects: /^404/ },
  {
    name: 'Something broke',
    ...{ path: '/today', expects: /^500/ },
    before: ({ service }) => service.db.raw('alter table digests rename to digests_away'),
    after: ({ service }) => service.db.raw('alter table digests_away rename to digests'),
  },
  {
    name: 'From another site',
    ...{ who: null, path: 'about:blank', expects: /^403 POST/ },
    async act(page, { service }) {
      await page.setContent(`<form method="post" action="${service.url}/sync"><button>Send</button></form>`);
      await press(page, 'Send');
      await page.getByText('This request came from another site').waitFor();
    },
  },
  { name: 'Too large', path: '/settings', expects: /^413 POST/, act: page => sendTooMuch(page, 'submit') },
  {
    name: 'Too large, told in the page',
    ...{ path: '/settings', expects: /^413 POST/ },
    act: page => sendTooMuch(page, 'requestSubmit'),
  },
  {
    name: 'Too often, at a field',
    ...{ who: null, path: '/signin', expects: /^429 POST/ },
    async before({ service }) {
      const wish = { method: 'POST', body: new URLSearchParams({ email: MANY }), redirect: 'manual' } as const;
      for (let asked = 0; asked < 5; asked++) await fetch(`${service.url}/api/auth/signin/email`, wish);
    },
    async act(page) {
      await page.locator('#email').fill(MANY);
      await press(page, 'Send me a sign-in link');
      await page.getByText('There is a problem').waitFor();
    },
  },
  {
    name: 'Too often, as a page',
    expects: /^4(00|29) GET/,
    path: async ({ webWith }) => `${await webWith({ RATE_LIMIT_API: '1' })}/api/crm/callback?code=1&state=1`,
    async act(page) {
      await page.reload();
      await page.getByText('Error 429').waitFor();
    },
  },
  { name: 'A wrong answer of the CRM', path: '/api/crm/callback?code=1&state=1', expects: /^400/ },
  {
    name: 'No CRM on this server',
    expects: /^503/,
    path: async ({ webWith }) => `${await webWith({ CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '' })}/api/crm/connect`,
  },
  { name: 'A link that is not whole', who: null, path: '/mail/unsubscribe/some', expects: /^400/ },
  { name: 'A sign-in link that is not whole', who: null, path: '/auth/confirm', expects: /^400/ },
];
