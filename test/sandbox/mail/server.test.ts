import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { type MailSandbox, startMailSandbox } from '../../../sandbox/mail/server.ts';

const MAIL: SendMailOptions = {
  from: 'Forenoon <hello@forenoon.example>',
  to: 'lena@example.com',
  subject: 'Hello <b>Lena</b>',
  text: 'Look at https://forenoon.example/today?x=1. And at <this>.',
  html: '<html><head><title>x</title></head><body><a href="https://forenoon.example/">Look</a><script>x</script></body></html>',
};

describe('The mail sandbox', () => {
  let folder: string;
  let sandbox: MailSandbox;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-mail-'));
    sandbox = await startMailSandbox({ port: 0, stateDir: folder });
  });
  after(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (own: SendMailOptions = {}) => createTransport(sandbox.mailUrl).sendMail({ ...MAIL, ...own });
  const page = async (path: string, status = 200) => {
    const answer = await fetch(new URL(path, sandbox.url));
    expect(answer.status).to.equal(status);
    return { text: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' };
  };

  it('accepts mail for every valid address, and shows it', async () => {
    await send();
    const [mail] = sandbox.mails();
    expect(mail).to.deep.include({ to: ['lena@example.com'], subject: MAIL.subject });
    const list = await page('/');
    expect(list.text).to.include('Hello &lt;b&gt;Lena').and.include(`href="/mails/${mail?.id}"`);
    expect(list.text).to.include('href="/?to=lena%40example.com"');
    expect((await page('/?to=lena%40example.com')).text).to.include('Hello &lt;b&gt;Lena');
    expect((await page('/?to=somebody@example.com')).text).not.to.include('lena@example.com');
    const shown = await page(`/mails/${mail?.id}`);
    expect(shown.text).to.include('href="https://forenoon.example/today?x=1"').and.include('&lt;this&gt;.');
    expect(shown.text).to.include('<dt>Message-ID</dt>').and.include(`src="/mails/${mail?.id}/html"`);
    expect((await page(`/mails/${mail?.id}/source`)).text).to.match(/^From: Forenoon/m);
    await page('/mails/999', 404);
  });

  it('lets nothing in a mail run, load or send, and its links open elsewhere', async () => {
    const { text, policy } = await page('/mails/1/html');
    expect(text).to.include('<head><base target="_blank">');
    expect(policy).to.include("default-src 'none'").and.include("form-action 'none'");
    expect(policy).to.match(/; sandbox allow-popups allow-popups-to-escape-sandbox$/);
    expect(policy).not.to.match(/script|allow-same-origin|allow-scripts|\*/);
    const around = await page('/mails/1');
    expect(around.text).to.include('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(around.policy).to.include("frame-src 'self'").and.not.include('script');
  });
});
