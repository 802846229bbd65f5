import { createTransport, type SendMailOptions } from 'nodemailer';
import { z } from 'zod';
import { withDeadline } from '../../lib/deadline.ts';
import { isLoopback } from '../../lib/hosts.ts';
import { ClientError, type ClientErrorKind } from '../errors.ts';
import type { Mail, Mailer } from './types.ts';

/** Time for one mail. Allows for slow servers (greylisting); after that, the caller starts over. */
const DEADLINE_MS = 30_000;
const CONNECT_DEADLINE_MS = 10_000;
/** We close idle connections before servers do, so that none breaks while a mail is being sent. */
const IDLE_TIMEOUT_MS = 20_000;
const MAX_CONNECTIONS = 2;
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
    maxConnections: MAX_CONNECTIONS,
    // Retrying is left to the caller.
    maxRequeues: 0,
    idleTimeout: IDLE_TIMEOUT_MS,
    connectionTimeout: Math.min(CONNECT_DEADLINE_MS, deadlineMs),
    greetingTimeout: Math.min(CONNECT_DEADLINE_MS, deadlineMs),
    dnsTimeout: Math.min(CONNECT_DEADLINE_MS, deadlineMs),
    socketTimeout: deadlineMs,
    requireTLS: requiresTls(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(mail) {
      try {
        if (!PLAIN_ADDRESS.test(mail.to)) throw createMailerError('ADDRESS_REFUSED');
        await transport.sendMail({ ...messageFor(mail, from), signal: AbortSignal.timeout(deadlineMs) });
      } catch (err) {
        const failure = failureFrom(err);
        report?.({ kind: failure.kind, code: failure.code });
        throw failure;
      }
    },
    async check() {
      try {
        await withDeadline(transport.verify(), deadlineMs, () => createMailerError('TIMEOUT', 'temporary'));
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

function createMailerError(code: string, kind: ClientErrorKind = 'permanent'): ClientError {
  return new ClientError({ service: 'mailer', kind, code });
}

/** The library's fields about a failure, without its message, which quotes addresses and the server's own words. */
const libraryError = z.object({
  code: z.string().optional(),
  /** A system error code, such as ECONNREFUSED, or a certificate error. */
  originalCode: z.string().optional(),
  /** The server's answer (RFC 5321, 4.2). */
  responseCode: z.number().optional(),
  /** The command that failed: `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: z.string().optional(),
});
type LibraryError = z.output<typeof libraryError>;

/** Drops the cause, which may contain secrets. */
function failureFrom(err: unknown): ClientError {
  if (err instanceof ClientError) return err;
  const { data } = libraryError.safeParse(err);
  const [kind, code] = data ? describeFailure(data) : (['temporary', 'UNREACHABLE'] as const);
  return new ClientError({ service: 'mailer', kind, code });
}

type Description = readonly [kind: ClientErrorKind, code: string];

function describeFailure(err: LibraryError): Description {
  if (err.code === 'ETLS' || /CERT|TLS|SSL|SIGNATURE/.test(err.originalCode ?? '')) return ['temporary', 'TLS_FAILED'];
  if (err.responseCode !== undefined && err.responseCode >= 400) return describeAnswer(err, err.responseCode);
  return FAILURES_WITHOUT_ANSWER[err.code ?? ''] ?? ['temporary', 'UNREACHABLE'];
}

/** 454: the server can't check names just now. 503 and 421 are about the connection, not about the mail. */
function describeAnswer({ code, command = '' }: LibraryError, status: number): Description {
  if (status < 500 || status === 503) return ['temporary', 'TRY_LATER'];
  if (code === 'EAUTH' || status === 530 || status === 535) return ['auth', 'LOGIN_REFUSED'];
  if (command === 'MAIL FROM') return ['permanent', 'SENDER_REFUSED'];
  if (command === 'RCPT TO') return ['permanent', 'ADDRESS_REFUSED'];
  if (command === 'DATA') return ['permanent', 'MAIL_REFUSED'];
  // The server refused us before any mail was mentioned.
  return ['temporary', 'CONNECTION_REFUSED'];
}

const FAILURES_WITHOUT_ANSWER: Record<string, Description> = {
  ETIMEDOUT: ['temporary', 'TIMEOUT'],
  EABORT: ['temporary', 'TIMEOUT'],
  EPROTOCOL: ['temporary', 'UNREADABLE_REPLY'],
  EAUTH: ['auth', 'LOGIN_REFUSED'],
  ENOAUTH: ['auth', 'LOGIN_REFUSED'],
  EENVELOPE: ['permanent', 'ADDRESS_REFUSED'],
  EMESSAGE: ['permanent', 'MAIL_REFUSED'],
};
