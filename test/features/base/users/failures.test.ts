import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import request from 'supertest';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { tokenIn } from '../../../support/mail.ts';
import { expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { untilJobsEnd, withoutPauses } from '../../../support/skipPauses.ts';
import { arrival, startBot } from '../alerts/operator.ts';

const ASK = '/api/auth/signin/email';
const CALLBACK = '/api/auth/callback/email';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOUR = 3_600_000;

describe('A sign-in mail', () => {
  let service: Service;
  let bot: AlertBotSandbox;
  before(async () => {
    const operator = await startBot();
    bot = operator.bot;
    service = await startService({ mail: true, env: operator.env });
  });
  afterEach(() => service.mail.faults.clear());
  after(stopServices);

  const ask = (email: unknown, accept = '*/*') =>
    request(service.url).post(ASK).type('form').set('Accept', accept).send({ email, callbackUrl: '/settings' });
  const use = (token: string, accept = '*/*') =>
    request(service.url).post(CALLBACK).type('form').set('Accept', accept).send({ token });
  const mailsTo = (email: string) => service.mail.mails().filter(({ to }) => to.includes(email));
  const jobs = () => service.db('pgboss.job').where({ name: 'sign-in-mails' });
  /** Nothing is under way any more that could send another mail. */
  const atRest = () => untilJobsEnd(service.db, 'sign-in-mails');

  it('goes to one address and can’t inject headers', async () => {
    const wrong = [
      'lena@example.com\r\nBcc: eve@example.com',
      'lena@example.com\nSubject: hello',
      'lena@example.com%0aBcc:eve@example.com',
      'lena@example.com, eve@example.com',
      'lena@example.com;eve@example.com',
      '"lena\r\n"@example.com',
      'Lena <lena@example.com>',
      '<lena@example.com>',
      'lena@example.com\u0000',
      'lena@exa\u00admple.com',
      'lena@[127.0.0.1]',
      '',
      undefined,
    ];
    const before = await jobs();
    for (const email of wrong) {
      const { body } = await ask(email).expect(400);
      expect(body.code, JSON.stringify(email)).to.equal('INVALID_INPUT');
    }
    expect(await jobs()).to.have.length(before.length);
    expect([...mailsTo('lena@example.com'), ...mailsTo('eve@example.com')]).to.deep.equal([]);
  });

  it('gets the same answer whether or not the address is known', async () => {
    const known = Array.from({ length: 8 }, (_, at) => `known${at}@example.com`);
    await service.db('users').insert(known.map(email => ({ email })));
    for (const [at, email] of known.entries()) {
      const stranger = `other${at}@example.com`;
      const [one, two] = [await answerOf(email), await answerOf(stranger)];
      expect(two).to.deep.equal(one);
      const [mail, strange] = [await service.mail.waitForMail(email), await service.mail.waitForMail(stranger)];
      const neutral = (each: typeof mail) => [each.subject, each.text, each.html].join().replaceAll(tokenIn(each), 'T');
      expect(neutral(strange)).to.equal(neutral(mail));
    }
  });

  /** All of both answers but what differs from request to request. */
  async function answerOf(email: string): Promise<object> {
    const asked = await ask(email, BROWSER);
    const page = await request(service.url).get(asked.headers.location ?? '/');
    const answers = [asked, page].map(({ status, headers, text }) => {
      const { date, 'x-request-id': id, ratelimit, ...others } = headers;
      expect([date, id]).not.to.include(undefined);
      return JSON.stringify({ status, others, text }).replaceAll(email, 'X').replaceAll(encodeURIComponent(email), 'X');
    });
    return answers;
  }

  it('arrives once after a mail server outage, without delaying the request', async () => {
    const email = 'patient@example.com';
    service.mail.faults.always({ isDown: true });
    const begun = performance.now();
    await ask(email).expect(303);
    expect(performance.now() - begun).to.be.lessThan(1_000);
    const said = await arrival(bot, /MAIL_UNREACHABLE/);
    expect(said).to.include('Error · Mail').and.include('port 2525 or 2587').and.not.include('patient');
    expect(mailsTo(email)).to.deep.equal([]);
    expect(JSON.stringify(await jobs())).not.to.include('patient');
    service.mail.faults.clear();
    const mail = await withoutPauses(service.db, () => service.mail.waitForMail(email));
    await atRest();
    expect(mailsTo(email)).to.have.length(1);
    await use(tokenIn(mail)).expect(303);
    await arrival(bot, /USER_SIGNED_UP/);
  });

  it('is the same email with another working link when the first attempt’s outcome is unknown', async () => {
    const email = 'unclear@example.com';
    service.mail.faults.next({ losesAnswer: true });
    await ask(email).expect(303);
    await withoutPauses(service.db, () => service.mail.waitForMail(email, 2));
    const [first, second] = mailsTo(email);
    if (!first || !second) throw new Error('two mails were expected');
    const idOf = ({ headers }: typeof first) => headers.find(({ name }) => name === 'Message-ID')?.value;
    expect(idOf(first))
      .to.match(/^<[\w-]{36}@forenoon\.example>$/)
      .and.equal(idOf(second));
    await use(tokenIn(first)).expect(303);
  });

  it('is dropped when the server permanently rejects it, and the operator is alerted', async () => {
    service.mail.faults.next({ addressStatus: 550 });
    await ask('refused@example.com').expect(303);
    const said = await arrival(bot, /MAIL_REFUSED/);
    expect(said).to.include('Warning · Mail').and.include('ADDRESS_REFUSED').and.not.include('refused@');
    await ask('refused@example.com').expect(303);
    await service.mail.waitForMail('refused@example.com');
    await atRest();
    expect(mailsTo('refused@example.com')).to.have.length(1);
  });

  it('is given up once its link has expired', async () => {
    service.mail.faults.always({ isDown: true });
    await ask('late@example.com').expect(303);
    // Tried once while it was wanted: or that try may find the server up again.
    while ((await jobs().whereIn('state', ['created', 'active'])).length > 0) await sleep(50);
    service.clock.advance(HOUR);
    service.mail.faults.clear();
    await atRest();
    expect(mailsTo('late@example.com')).to.deep.equal([]);
  });

  it('leads to a page that says why its link does not work, with a way to a new one', async () => {
    await ask('page@example.com').expect(303);
    const token = tokenIn(await service.mail.waitForMail('page@example.com'));
    const page = async (shown: string) => {
      const { text } = await use(shown, BROWSER).expect(400).expect('Content-Type', /html/);
      expectNothingInline(text);
      expect(text).to.include('<title>This link doesn’t work').and.include('href="/signin"');
      return wordsOf(text);
    };
    expect(await page(`${token}x`)).to.include('We don’t recognize this link, or it’s too old.');
    expect(await page('')).to.include('This link is incomplete.');
    await use(token).expect(303);
    expect(await page(token)).to.include('has already been used');
    const whole = await request(service.url).get('/auth/confirm').expect(400);
    expect(wordsOf(whole.text)).to.include('This link is incomplete.');
    await ask('page@example.com').expect(303);
    const late = tokenIn(await service.mail.waitForMail('page@example.com', 2));
    service.clock.advance(HOUR / 2);
    expect(await page(late)).to.include('This link has expired. It worked for 30 minutes.');
  });
});
