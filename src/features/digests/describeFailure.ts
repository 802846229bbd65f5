import { ClientError } from '../../clients/errors.ts';
import { formatCount } from '../../lib/words.ts';
import { AccountBusy } from '../messenger/withAccount.ts';

/*
 * The one catalogue of what can keep a digest or its note from being written. Each failure has one sentence, wherever it
 * is told.
 */

type Entry = {
  /** What is told of it. */
  says: string;
  /** The same in the past, beside the digest that was not written; default `says`. */
  said?: string;
  /** The same of several people. */
  saysOfMany?: (count: string) => string;
  /** What it means to the person. */
  advice?: string;
  /** Trying the same again soon may help. */
  mayPass?: boolean;
  /** Its code in the API, which is that of several failures. */
  code?: string;
};

const IN_TELEGRAM = 'Your messages are still in Telegram.';
const STILL_THERE = 'Your messages are still there.';
const UNAVAILABLE = { advice: STILL_THERE, mayPass: true, code: 'MESSENGER_UNAVAILABLE' } as const;

export const FAILURES = {
  MESSENGER_NOT_CONNECTED: {
    says: 'No Telegram account is connected.',
    said: 'The connection to Telegram was ended before this was read.',
  },
  SESSION_EXPIRED: {
    says: 'Telegram signed Forenoon out.',
    said: 'Telegram ended the session before this was read.',
    advice: 'New messages are not read until you connect again.',
  },
  ACCOUNT_BANNED: {
    says: 'Telegram has banned this account.',
    advice: "New messages can't be read.",
    code: 'SESSION_EXPIRED',
  },
  FLOOD_WAIT: {
    says: 'Telegram asks us to wait.',
    said: 'Telegram asked us to wait before this was read.',
    advice: 'Trying again earlier makes the wait longer.',
    mayPass: true,
  },
  TIMEOUT: { says: 'Telegram did not answer in time.', advice: STILL_THERE, mayPass: true },
  MESSENGER_UNAVAILABLE: { ...UNAVAILABLE, says: 'We couldn’t get this conversation from Telegram.' },
  NO_LIST: { ...UNAVAILABLE, says: 'We couldn’t get your conversations from Telegram.' },
  OUT_OF_REACH: { ...UNAVAILABLE, says: 'Telegram can’t be reached right now.' },
  /** The account's one connection is in use. */
  IN_USE: {
    ...UNAVAILABLE,
    says: 'Your Telegram account is being read by another process right now.',
    advice: 'We’ll try again later.',
  },
  /** The messenger's answer for it cannot be read, and breaks the connection it comes on. */
  UNREADABLE: {
    ...UNAVAILABLE,
    says: 'This conversation contains something that can’t be read here yet.',
    advice: IN_TELEGRAM,
  },
  /** Workers died over it: put aside so that the others get through. */
  CRASHED: {
    says: 'Reading this conversation failed three times.',
    said: 'Reading this conversation failed three times, so it was set aside.',
    advice: 'It is left for the next sync; the others were read.',
    mayPass: true,
    code: 'TIMEOUT',
  },
  AI_BAD_OUTPUT: {
    says: 'The summary service’s response couldn’t be used.',
    advice: IN_TELEGRAM,
    mayPass: true,
  },
  AI_UNAVAILABLE: { says: 'The summary service could not be reached.', advice: IN_TELEGRAM, mayPass: true },
  SUMMARY_TIMEOUT: {
    says: 'The summary service did not answer in time.',
    advice: IN_TELEGRAM,
    mayPass: true,
    code: 'TIMEOUT',
  },
  CRM_AUTH: { says: 'The CRM needs you to sign in again.', advice: 'The notes are written then.' },
  CRM_RATE_LIMIT: { says: 'The CRM asks us to wait.', mayPass: true },
  CRM_UNAVAILABLE: { says: 'The CRM could not be reached.', mayPass: true },
  CRM_TIMEOUT: { says: 'The CRM did not answer in time.', mayPass: true, code: 'TIMEOUT' },
  CRM_CONTACT_GONE: {
    says: 'The contact is no longer in the CRM.',
    saysOfMany: count => `${count} contacts are no longer in the CRM.`,
  },
  CRM_REFUSED: {
    says: 'The CRM refused what we wrote.',
    saysOfMany: count => `The CRM refused what we wrote about ${count} people.`,
  },
  CRM_LOOKUP_REFUSED: { says: 'The CRM refused to look people up.', code: 'CRM_REFUSED' },
} as const satisfies Record<string, Entry>;

export type Failure = keyof typeof FAILURES;
export type CrmFailure = Extract<Failure, `CRM_${string}`>;

/** Its code in the API. */
export type FailureCode = { [F in Failure]: (typeof FAILURES)[F] extends { code: infer C } ? C : F }[Failure];

/** The sentence, what it means, and how the API calls it. @param people of how many people it is told */
export function describeFailure(failure: Failure, people = 1) {
  const { says, said = says, advice = '', mayPass = false, code = failure, saysOfMany }: Entry = FAILURES[failure];
  const sentence = people > 1 && saysOfMany ? saysOfMany(formatCount(people)) : says;
  return { sentence, said, advice, mayPass, code: code as FailureCode };
}

/** Undefined for a reason that is none of the catalogue: of an older release, or why a digest was skipped. */
export function findFailure(reason: string | null) {
  return reason !== null && Object.hasOwn(FAILURES, reason) ? describeFailure(reason as Failure) : undefined;
}

/** What went wrong while a conversation was read, or with `isList` while the account's conversations were listed. */
export function messengerFailure(err: unknown, { isList = false } = {}): Failure {
  if (err instanceof AccountBusy) return 'MESSENGER_NOT_CONNECTED';
  const { kind, code } = err instanceof ClientError ? err : { kind: undefined, code: '' };
  if (code === 'IN_USE' || code === 'ACCOUNT_BANNED') return code;
  if (kind === 'auth') return 'SESSION_EXPIRED';
  if (kind === 'rateLimited') return 'FLOOD_WAIT';
  if (code === 'TIMEOUT') return 'TIMEOUT';
  if (isList) return kind === 'temporary' ? 'OUT_OF_REACH' : 'NO_LIST';
  return code === 'PARSER_POISONED' ? 'UNREADABLE' : 'MESSENGER_UNAVAILABLE';
}

export function summarizerFailure(err: unknown): Failure {
  if (!(err instanceof ClientError)) return 'AI_BAD_OUTPUT';
  if (err.kind === 'temporary' && err.code === 'TIMEOUT') return 'SUMMARY_TIMEOUT';
  return err.kind === 'temporary' || err.code === 'AI_UNAVAILABLE' ? 'AI_UNAVAILABLE' : 'AI_BAD_OUTPUT';
}

export function crmFailure(err: unknown): CrmFailure {
  if (!(err instanceof ClientError)) return 'CRM_UNAVAILABLE';
  if (err.kind === 'auth') return 'CRM_AUTH';
  if (err.kind === 'rateLimited') return 'CRM_RATE_LIMIT';
  if (err.kind === 'permanent') return 'CRM_REFUSED';
  return err.code === 'TIMEOUT' ? 'CRM_TIMEOUT' : 'CRM_UNAVAILABLE';
}
