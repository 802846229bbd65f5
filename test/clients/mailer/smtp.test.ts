import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { type MailSandbox, startMailSandbox } from '../../../sandbox/mail/server.ts';
import { ClientError } from '../../../src/clients/errors.ts';
import { createSmtpMailer } from '../../../src/clients/mailer/smtp.ts';
import type { Mailer } from '../../../src/clients/mailer/types.ts';
import { errorForLog } from '../../../src/lib/log.ts';

const FROM = 'Forenoon <hello@forenoon.example>';
const HELLO = {
  to: 'lena@example.com',
  subject: 'Your digest',
  text: 'secret words, plain',
  html: '<p>secret words, rich</p>',
  id: '5f0c7d0e-0000-4000-8000-000000000001',
};

describe('The mailer', () => {
  let sandbox: MailSandbox;
  let folder: string;
  const open: Mailer[] = [];
  const servers: { close(done?: () => void): unknown }[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-mail-'));
    sandbox = await startMailSandbox({ port: 0, stateDir: folder });
  });
  afterEach(() => {
    sandbox.faults.clear();
    for (const mailer of open.splice(0)) mailer.close();
    for (const server of servers.splice(0)) server.close();
  });
  after(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function mailer(own: Partial<Parameters<typeof createSmtpMailer>[0]> = {}): Mailer {
    const made = createSmtpMailer({ url: sandbox.mailUrl, from: FROM, ...own });
    open.push(made);
    return made;
  }

  const newest = () => sandbox.mails().at(-1);
  const headers = (name: string) =>
    (newest()?.headers ?? []).filter(header => header.name.toLowerCase() === name).map(({ value }) => value);

  async function failureOf(sending: Promise<void>): Promise<{ kind: string; code: string }> {
    try {
      await sending;
    } catch (err) {
      if (!(err instanceof ClientError)) throw err;
      for (const shown of [inspect(err, { depth: 9 }), JSON.stringify(errorForLog(err))]) {
        expect(shown).not.to.match(/lena|secret|digest|forenoon:sandbox|hello@/i);
      }
      return { kind: err.kind, code: err.code };
    }
    throw new Error('it was taken');
  }

  /** A server that says this to whoever comes, and then nothing more. */
  async function strangeServer(greet: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>();
    const server: Server = createServer(socket => {
      sockets.add(socket.on('error', () => {}));
      greet(socket);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    servers.push(server, { close: () => sockets.forEach(socket => void socket.destroy()) });
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('sends both versions of an email, marked as automatic', async () => {
    await mailer().send(HELLO);
    expect(newest()).to.deep.include({ to: [HELLO.to], from: 'hello@forenoon.example', subject: HELLO.subject });
    expect(newest()?.text.trim()).to.equal(HELLO.text);
    expect(newest()?.html.trim()).to.equal(HELLO.html);
    expect(headers('from')).to.deep.equal([FROM]);
    expect(headers('message-id')).to.deep.equal([`<${HELLO.id}@forenoon.example>`]);
    expect(headers('auto-submitted')).to.deep.equal(['auto-generated']);
    expect([...headers('list-unsubscribe'), ...headers('x-mailer')]).to.deep.equal([]);
  });

  it('rejects an address that would be more than one address', async () => {
    const before = sandbox.mails().length;
    const wrong = [
      'lena@example.com, eve@example.com',
      'lena@example.com;eve@example.com',
      'lena@example.com\r\nBcc: eve@example.com',
      'lena@example.com\nRCPT TO:<eve@example.com>',
      'lena@example.com> NOTIFY=SUCCESS',
      'Lena <lena@example.com>',
      'group:lena@example.com;',
      'lena@example.com\u0000',
      'lena @example.com',
      'lena',
      '',
    ];
    for (const to of wrong) {
      const failure = await failureOf(mailer().send({ ...HELLO, to }));
      expect(failure, JSON.stringify(to)).to.deep.equal({ kind: 'permanent', code: 'ADDRESS_REFUSED' });
    }
    expect(sandbox.mails()).to.have.length(before);
  });

  it('prevents header injection through the subject', async () => {
    await mailer().send({ ...HELLO, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' });
    expect(newest()?.subject).to.equal('Hello Bcc: eve@example.com body');
    expect(newest()?.to).to.deep.equal([HELLO.to]);
    expect(headers('bcc')).to.deep.equal([]);
  });

  it('distinguishes temporary from permanent errors', async () => {
    const send = () => failureOf(mailer().send(HELLO));
    sandbox.faults.next({ status: 451 });
    expect(await send()).to.deep.equal({ kind: 'temporary', code: 'TRY_LATER' });
    sandbox.faults.next({ addressStatus: 450 });
    expect(await send()).to.deep.equal({ kind: 'temporary', code: 'TRY_LATER' });
    sandbox.faults.next({ status: 554 });
    expect(await send()).to.deep.equal({ kind: 'permanent', code: 'MAIL_REFUSED' });
    sandbox.faults.next({ addressStatus: 550 });
    expect(await send()).to.deep.equal({ kind: 'permanent', code: 'ADDRESS_REFUSED' });
    sandbox.faults.always({ isDown: true });
    expect(await send()).to.deep.equal({ kind: 'temporary', code: 'UNREACHABLE' });
    expect(await failureOf(mailer({ url: 'smtp://127.0.0.1:1' }).send(HELLO))).to.include({ code: 'UNREACHABLE' });
  });

  it('never waits longer than its deadline', async () => {
    const silent = await strangeServer(() => {});
    const chatty = await strangeServer(socket => {
      socket.write('220');
      const timer = setInterval(() => socket.write('-hello\r\n220'), 40);
      socket.on('close', () => clearInterval(timer));
    });
    sandbox.faults.next({ delayMs: 5_000 });
    for (const url of [silent, chatty, sandbox.mailUrl]) {
      const begun = performance.now();
      const failure = await failureOf(mailer({ url, deadlineMs: 300 }).send(HELLO));
      expect(failure).to.deep.equal({ kind: 'temporary', code: 'TIMEOUT' });
      expect(performance.now() - begun).to.be.lessThan(2_000);
    }
  });

  it('speaks TLS from the first byte or from STARTTLS on, and only to a server that proves who it is', async () => {
    const taken: boolean[] = [];
    for (const secure of [true, false]) {
      const server = new SMTPServer({
        secure,
        authOptional: true,
        logger: false,
        disableReverseLookup: true,
        closeTimeout: 50,
        onData: (stream, session, done) => {
          taken.push(session.secure);
          stream.on('end', () => done()).resume();
        },
      });
      server.on('error', () => {});
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      const { port } = server.server.address() as AddressInfo;
      const url = `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
      expect(await failureOf(mailer({ url }).send(HELLO))).to.deep.equal({ kind: 'temporary', code: 'TLS_FAILED' });
      await mailer({ url: `${url}?tls.rejectUnauthorized=false` }).send(HELLO);
    }
    expect(taken).to.deep.equal([true, true]);
  });

  it('does not send its password to a remote server without TLS', async () => {
    const { port } = new URL(sandbox.mailUrl);
    // 0.0.0.0 leads here, too, and its name says nothing of this machine.
    const url = `smtp://forenoon:sandbox@0.0.0.0:${port}`;
    expect(await failureOf(mailer({ url }).send(HELLO))).to.deep.equal({ kind: 'temporary', code: 'TLS_FAILED' });
    await mailer({ url: `${url}?requireTLS=false` }).send(HELLO);
  });
});
