import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { createFaultPlan, type Fault, type Faults } from '../faultPlan.ts';
import { HOST } from '../listen.ts';
import { checkAddress, checkMail, MailRefusal } from './acceptance.ts';
import { type MailInbox, readMail } from './inbox.ts';

export type MailFault = Pick<Fault, 'status' | 'delayMs' | 'losesAnswer'> & {
  /** The error that answers the recipient's address. */
  addressStatus?: number;
  /** The server is gone: connections break at once, open ones as well. */
  isDown?: boolean;
};

export type Login = { user: string; password: string };
export type SmtpServer = { port: number; faults: Faults<MailFault>; stop(): Promise<void> };

const MAX_MAIL_BYTES = 5_000_000;

/** The SMTP server: who may send, what is accepted, and the planned faults. It listens on any free port. */
export async function startSmtp(inbox: MailInbox, login: Login): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const throwOut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const faults = createFaultPlan<MailFault>();
  const met = new WeakMap<SMTPServerSession, MailFault>();

  const server = new SMTPServer({
    ...SETTINGS,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === login.user && password === login.password;
      done(isKnown ? null : new MailRefusal(535, '5.7.8 Name or password are not right'), { user: username });
    },
    onMailFrom(_address, session, done) {
      met.set(session, faults.take());
      done();
    },
    onRcptTo({ address }, session, done) {
      const status = met.get(session)?.addressStatus;
      done(status === undefined ? refusalOf(() => checkAddress(address)) : plannedRefusal(status));
    },
    onData(stream, session, done) {
      const fault = met.get(session) ?? {};
      const answer = async () => {
        await take(inbox, session, stream, fault);
        if (fault.losesAnswer) throwOut();
        done(null, '2.0.0 OK: it lies in the inbox');
      };
      answer().catch(done);
    },
  });
  // Broken connections are for the clients to handle.
  server.on('error', () => {});
  server.server.prependListener('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (faults.standing().some(({ isDown }) => isDown)) socket.destroy();
  });
  server.listen(0, HOST);
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    faults: {
      ...faults,
      always(fault) {
        faults.always(fault);
        if (fault.isDown) throwOut();
      },
    },
    async stop() {
      const closed = once(server.server, 'close');
      server.close();
      throwOut();
      await closed;
    },
  };
}

const SETTINGS: SMTPServerOptions = {
  name: 'mail.sandbox.test',
  banner: 'Forenoon mail sandbox',
  // It stays on this machine.
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  authMethods: ['PLAIN', 'LOGIN'],
  hideENHANCEDSTATUSCODES: false,
  disableReverseLookup: true,
  maxRecipients: 100,
  size: MAX_MAIL_BYTES,
  rejectOversized: true,
  logger: false,
};

async function take(
  inbox: MailInbox,
  { envelope }: SMTPServerSession,
  stream: SMTPServerDataStream,
  fault: MailFault,
): Promise<void> {
  const source = await buffer(stream);
  if (stream.sizeExceeded) throw new MailRefusal(552, '5.3.4 The mail is too large');
  await sleep(fault.delayMs ?? 0, undefined, { ref: false });
  if (fault.status !== undefined) throw plannedRefusal(fault.status);
  const mail = await readMail(source);
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  checkMail({ envelopeFrom: from, headers: mail.headers, source });
  inbox.add({ from, to: envelope.rcptTo.map(({ address }) => address), ...mail });
}

function plannedRefusal(status: number): MailRefusal {
  return new MailRefusal(status, status < 500 ? '4.3.2 Try again later' : '5.7.1 Not taken');
}

function refusalOf(check: () => void): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error('not taken');
  }
}
