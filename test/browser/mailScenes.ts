import type { Page } from 'playwright-core';
import { sendDigestMail } from '../../src/features/mail/daily/sendDigestMail.ts';
import { tokenIn } from '../support/mail.ts';
import { post } from '../support/pages.ts';
import { signIn } from '../support/people.ts';
import type { Scene } from './scene.ts';
import { PEOPLE, type Stage } from './stage.ts';

const READER = 'reader@example.com';

/** A sign-in mail, as it arrives. */
async function askForLink({ service }: Stage) {
  const form = new URLSearchParams({ email: READER });
  await fetch(`${service.url}/api/auth/signin/email`, { method: 'POST', body: form, redirect: 'manual' });
  await service.mail.waitForMail(READER);
}

/** The mail of the newest day. */
async function sendDigest(stage: Stage) {
  const { service } = stage;
  const worker = service.worker();
  const userId = await stage.idOf(PEOPLE.regular);
  await post(await signIn(service, PEOPLE.regular), '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
  const newest = service.db.raw(`to_char(max(digest_date), 'YYYY-MM-DD') as day`);
  const { day } = await service.db('digests').where({ user_id: userId }).first(newest);
  const payload = { userId, jobId: 'none', day, askedAt: new Date().toISOString() };
  await sendDigestMail(worker, payload);
}

const confirmation = async ({ service }: Stage) => `/auth/confirm?token=${tokenIn(await service.mail.waitForMail(READER))}`;

/** Its HTML alone: where mails are shown no script runs, not even that which judges. */
const show =
  (to: string) =>
  async (page: Page, { service }: Stage) =>
    page.setContent((await service.mail.waitForMail(to)).html);

/** Mails as they are read. */
export const mailScenes: Scene[] = [
  { name: 'Mail, sign-in', who: null, before: askForLink, path: 'about:blank', act: show(READER), isPart: true },
  { name: 'Sign-in link', who: null, before: askForLink, path: confirmation },
  {
    name: 'Mail, digest',
    ...{ who: null, path: 'about:blank', isPart: true },
    before: sendDigest,
    act: show(PEOPLE.regular),
  },
];
