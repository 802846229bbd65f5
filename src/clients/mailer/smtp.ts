import { createTransport, type SendMailOptions } from 'nodemailer';
import { withDeadline } from '../../lib/deadline.ts';
import { isLoopback } from '../../lib/hosts.ts';
import { ClientError, type ClientErrorKind } from '../errors.ts';
import { failureFrom } from './smtpFailures.ts';
import type { Mail, Mailer } from './types.ts';

/** Some servers answer slowly at times (greylisting), but a mail that takes longer than this is better started over. */
const DEADLINE_MS = 30_000;
const CONNECT_MS = 10_000;
/** Shorter than servers keep an unused connection, so that none is closed just when it is needed. */
const IDLE_MS = 20_000;
const MOST_CONNECTIONS = 2;
/** Allows nothing that could break a mail's header, and never a list: stricter than the grammar on purpose. */
const PLAIN_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

type Options = {
  /** smtp:// (STARTTLS where it is offered) or smtps://. Holds a password: no error may name it. */
  url: string;
  /** `Name <address>` or an address. */
  from: string;
  /** Milliseconds for one mail, the connection included. Default 30 seconds. */
  deadlineMs?: number;
  /** Called for every mail that was not accepted. */
  report?: (failure: { kind: ClientErrorKind; code: string }) => void;
};

/** Sends mails over any SMTP server, over a few connections that are kept open for a while. */
export function createSmtpMailer({ url, from, deadlineMs = DEADLINE_MS, report }: Options): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MOST_CONNECTIONS,
    // The caller retries, and knows for how long that makes sense.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: Math.min(CONNECT_MS, deadlineMs),
    greetingTimeout: Math.min(CONNECT_MS, deadlineMs),
    dnsTimeout: Math.min(CONNECT_MS, deadlineMs),
    socketTimeout: deadlineMs,
    requireTLS: requiresTls(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(mail) {
      try {
        if (!PLAIN_ADDRESS.test(mail.to)) throw refused('ADDRESS_REFUSED');
        await transport.sendMail({ ...messageFor(mail, from), signal: AbortSignal.timeout(deadlineMs) });
      } catch (err) {
        const failure = failureFrom(err);
        report?.({ kind: failure.kind, code: failure.code });
        throw failure;
      }
    },
    async check() {
      try {
        await withDeadline(transport.verify(), deadlineMs, () => refused('TIMEOUT', 'temporary'));
      } catch (err) {
        throw failureFrom(err);
      }
    },
    close: () => transport.close(),
  };
}

function messageFor({ to, subject, text, html, id, unsubscribeUrl }: Mail, from: string): SendMailOptions {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '');
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text,
    html,
    messageId: `<${id}@${domain}>`,
    xMailer: false,
    headers: {
      // Prevents out-of-office replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** An unencrypted server doesn't get our password, unless it is on this machine or the URL says `?requireTLS=false`. */
function requiresTls(url: string): boolean {
  const { protocol, password, hostname } = new URL(url);
  return protocol === 'smtp:' && password !== '' && !isLoopback(hostname);
}

function refused(code: string, kind: ClientErrorKind = 'permanent'): ClientError {
  return new ClientError({ service: 'mailer', kind, code });
}
