import { formatCount } from './words.ts';

/*
 * The one catalogue of failures: each has one sentence, and pages, emails, alerts, the API and a sync's result take it from
 * here. What only one place adds to it (how to go on there) stays in that place.
 */

/** The outside services, as people read them at the beginning of a sentence. */
const SERVICES = {
  messenger: 'Telegram',
  crm: 'The CRM',
  payments: 'The payment provider',
  summarizer: 'The summary service',
  alertBot: 'The alert bot',
  mailer: 'The mail server',
} as const;
export type ServiceName = keyof typeof SERVICES;

/** `Telegram asks us to wait until 09:48.` @param howLong such as `until 09:48` or `5 minutes` */
export function sayAskedToWait(service: ServiceName, howLong = ''): string {
  return `${SERVICES[service]} asks us to wait${howLong && ` ${howLong}`}.`;
}

const sayTimedOut = (service: ServiceName): string => `${SERVICES[service]} didn’t respond in time.`;

/** For a call that has just failed. */
export function sayUnreachable(service: ServiceName): string {
  return `${SERVICES[service]} can’t be reached right now.`;
}

/** For a call in the past, read later. */
const sayWasUnreachable = (service: ServiceName): string => `${SERVICES[service]} couldn’t be reached.`;

type ServiceError = { service: ServiceName; kind: string; code: string };

/** The sentence about an outside service's failure, and what the user can do. */
export function describeOutage({ service, kind, code }: ServiceError): { sentence: string; advice: string } {
  if (code === 'ACCOUNT_FROZEN') return { sentence: FAILURES[code].says, advice: FAILURES[code].advice };
  if (kind === 'rateLimited') return { sentence: sayAskedToWait(service), advice: 'Try again later.' };
  if (code === 'TIMEOUT') return { sentence: sayTimedOut(service), advice: 'Try again.' };
  return { sentence: sayUnreachable(service), advice: 'Try again in a few minutes.' };
}

type Entry = {
  /** The sentence for the person whom it concerns. */
  says: string;
  /** The sentence in the past tense, shown beside the digest that was not written; default `says`. */
  said?: string;
  /** The sentence about one of several accounts. */
  saysOf?: (who: string) => string;
  /** The sentence about several people. */
  saysOfMany?: (count: string) => string;
  /** The sentence for the operator; default `says`. */
  toOperator?: string;
  /** Consequence for the user. */
  advice?: string;
  /** Trying the same again soon may help. */
  mayPass?: boolean;
  /** API code, shared by several failures. */
  code?: string;
  /** A refused record is kept and tried once with each sync, until the service's administrator or the user acts. */
  waitsForAdmin?: true;
};

const IN_TELEGRAM = 'Your messages are still in Telegram.';
const EXCERPT_SHOWN = 'You see key lines instead; Rewrite tries again.';
const STILL_THERE = 'Your messages are still there.';
const UNAVAILABLE = { advice: STILL_THERE, mayPass: true, code: 'MESSENGER_UNAVAILABLE' } as const;

export const FAILURES = {
  MESSENGER_NOT_CONNECTED: {
    says: 'No Telegram account is connected.',
    said: 'Telegram was disconnected before this was read.',
  },
  SESSION_EXPIRED: {
    says: 'Telegram signed Forenoon out.',
    said: 'Telegram signed Forenoon out before this was read.',
    saysOf: (who: string) => `Telegram signed Forenoon out of ${who}.`,
    toOperator: 'Telegram signed an account out. Its owner has to connect it again.',
    advice: 'New messages aren’t read until you connect again.',
  },
  ACCOUNT_BANNED: {
    says: 'Telegram has banned this account.',
    saysOf: (who: string) => `Telegram has banned ${who}.`,
    toOperator: 'Telegram has banned an account.',
    advice: 'New messages can’t be read.',
    code: 'SESSION_EXPIRED',
  },
  /** The account stays connected, and is read again once it no longer is. */
  ACCOUNT_FROZEN: {
    says: 'Telegram has frozen this account.',
    toOperator: 'Telegram has frozen an account.',
    advice: 'You can appeal in Telegram. Until then new messages can’t be read.',
    code: 'MESSENGER_UNAVAILABLE',
  },
  FLOOD_WAIT: {
    says: sayAskedToWait('messenger'),
    said: 'Telegram asked us to wait before this was read.',
    advice: 'Trying again earlier makes the wait longer.',
    mayPass: true,
  },
  TIMEOUT: { says: sayTimedOut('messenger'), advice: STILL_THERE, mayPass: true },
  MESSENGER_UNAVAILABLE: { ...UNAVAILABLE, says: 'We couldn’t get this conversation from Telegram.' },
  NO_LIST: { ...UNAVAILABLE, says: 'We couldn’t get your conversations from Telegram.' },
  OUT_OF_REACH: { ...UNAVAILABLE, says: sayWasUnreachable('messenger') },
  /** The account's one connection is in use. */
  IN_USE: {
    ...UNAVAILABLE,
    says: 'Your Telegram account is being read by another process right now.',
    said: 'Your Telegram account was being read by another process.',
    advice: 'We’ll try again later.',
  },
  /** The messenger's answer for it cannot be read, and breaks the connection it comes on. */
  UNREADABLE: {
    ...UNAVAILABLE,
    says: 'This conversation contains something that can’t be read here yet.',
    advice: IN_TELEGRAM,
  },
  /** Workers died over it, so it was set aside to let the others through. */
  CRASHED: {
    says: 'Reading this conversation failed again and again.',
    said: 'Reading this conversation failed again and again, so it was set aside.',
    advice: 'The next sync tries again; the other conversations were read.',
    mayPass: true,
    code: 'TIMEOUT',
  },
  AI_BAD_OUTPUT: { says: 'The summary service’s response couldn’t be used.', advice: EXCERPT_SHOWN, mayPass: true },
  AI_UNAVAILABLE: { says: sayWasUnreachable('summarizer'), advice: EXCERPT_SHOWN, mayPass: true },
  SUMMARY_TIMEOUT: { says: sayTimedOut('summarizer'), advice: EXCERPT_SHOWN, mayPass: true, code: 'TIMEOUT' },
  CRM_AUTH: { says: 'The CRM needs you to sign in again.', advice: 'Notes are added once you’re signed in.' },
  CRM_RATE_LIMIT: { says: sayAskedToWait('crm'), mayPass: true },
  CRM_UNAVAILABLE: { says: sayWasUnreachable('crm'), mayPass: true },
  CRM_TIMEOUT: { says: sayTimedOut('crm'), mayPass: true, code: 'TIMEOUT' },
  CRM_CONTACT_GONE: {
    says: 'This contact is no longer in the CRM.',
    saysOfMany: (count: string) => `${count} contacts are no longer in the CRM.`,
  },
  CRM_REFUSED: {
    says: 'The CRM rejected what we sent.',
    saysOfMany: (count: string) => `The CRM rejected what we sent about ${count} people.`,
    toOperator: 'The CRM rejected a request.',
  },
  /** The CRM account's administrator requires it. `saysOf` names what, such as `“Source” for notes`. */
  CRM_PROPERTY_REQUIRED: {
    says: 'The CRM requires a property that isn’t filled in.',
    saysOf: (what: string) => `The CRM requires ${what}.`,
    toOperator: 'The CRM requires a property that a user hasn’t filled in.',
    advice: 'Say what to send under Settings, or make it optional in the CRM.',
    code: 'CRM_REFUSED',
    waitsForAdmin: true,
  },
  CRM_ASSOCIATION_REFUSED: {
    says: 'The CRM doesn’t let your user there edit associations.',
    toOperator: 'The CRM doesn’t let a user edit associations.',
    advice: 'Its administrator can allow it under Users & Teams. The next sync tries again.',
    code: 'CRM_REFUSED',
    waitsForAdmin: true,
  },
  CRM_SCOPE_MISSING: {
    says: 'The CRM doesn’t give Forenoon all permissions that it needs.',
    toOperator: 'The CRM refused a call: a scope is missing.',
    advice: 'Give the missing scopes to its app or key, then disconnect it under Settings and connect it again.',
    code: 'CRM_REFUSED',
    waitsForAdmin: true,
  },
  CRM_LOOKUP_REFUSED: { says: 'The CRM rejected our search for contacts.', code: 'CRM_REFUSED' },
} as const satisfies Record<string, Entry>;

export type Failure = keyof typeof FAILURES;
export type CrmFailure = Extract<Failure, `CRM_${string}`>;

/** Failures that last until the service's administrator or the person changes something. */
export const ADMIN_FAILURES = Object.entries<Entry>(FAILURES)
  .filter(([, { waitsForAdmin }]) => waitsForAdmin)
  .map(([failure]) => failure as CrmFailure);

type FailureCode = { [F in Failure]: (typeof FAILURES)[F] extends { code: infer C } ? C : F }[Failure];

/**
 * The sentence, what it means, and how the API calls it.
 * @param people how many people it is about
 * @param what whom or what it is about; '' when that isn't known
 */
export function describeFailure(failure: Failure, people = 1, what = '') {
  const entry: Entry = FAILURES[failure];
  const { says, said = says, toOperator = says, advice = '', mayPass = false, code = failure } = entry;
  const { saysOf, saysOfMany } = entry;
  const alone = what !== '' && saysOf ? saysOf(what) : says;
  const sentence = people > 1 && saysOfMany ? saysOfMany(formatCount(people)) : alone;
  return { sentence, said, toOperator, advice, mayPass, code: code as FailureCode };
}

/** Undefined for a reason outside the catalogue: one of an older release, or why a digest was skipped. */
export function findFailure(reason: string | null) {
  return reason !== null && Object.hasOwn(FAILURES, reason) ? describeFailure(reason as Failure) : undefined;
}
