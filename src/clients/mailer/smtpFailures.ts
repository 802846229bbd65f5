import { z } from 'zod';
import { ClientError, type ClientErrorKind } from '../errors.ts';

/** What the library says about a failure beside its message, which quotes addresses and the server's own words. */
const libraryError = z.object({
  code: z.string().optional(),
  /** The system's own, such as ECONNREFUSED or what is wrong with a certificate. */
  originalCode: z.string().optional(),
  /** The server's answer (RFC 5321, 4.2). */
  responseCode: z.number().optional(),
  /** The command that failed: `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: z.string().optional(),
});
type LibraryError = z.output<typeof libraryError>;

/** Without its cause. */
export function failureFrom(err: unknown): ClientError {
  if (err instanceof ClientError) return err;
  const { data } = libraryError.safeParse(err);
  const [kind, code] = data ? describe(data) : (['temporary', 'UNREACHABLE'] as const);
  return new ClientError({ service: 'mailer', kind, code });
}

type Description = readonly [kind: ClientErrorKind, code: string];

function describe(err: LibraryError): Description {
  if (err.code === 'ETLS' || /CERT|TLS|SSL|SIGNATURE/.test(err.originalCode ?? '')) return ['temporary', 'TLS_FAILED'];
  if (err.responseCode !== undefined && err.responseCode >= 400) return describeAnswer(err, err.responseCode);
  return WITHOUT_ANSWER[err.code ?? ''] ?? ['temporary', 'UNREACHABLE'];
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

const WITHOUT_ANSWER: Record<string, Description> = {
  ETIMEDOUT: ['temporary', 'TIMEOUT'],
  EABORT: ['temporary', 'TIMEOUT'],
  EPROTOCOL: ['temporary', 'UNREADABLE_REPLY'],
  EAUTH: ['auth', 'LOGIN_REFUSED'],
  ENOAUTH: ['auth', 'LOGIN_REFUSED'],
  EENVELOPE: ['permanent', 'ADDRESS_REFUSED'],
  EMESSAGE: ['permanent', 'MAIL_REFUSED'],
};
