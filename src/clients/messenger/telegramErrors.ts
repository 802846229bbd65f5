import { errors } from 'telegram';
import { ClientError, type ClientErrorKind } from '../errors.ts';

/** Telegram doesn't state the duration of these blocks; an hour is a guess. */
const UNSTATED_WAIT_SECONDS = 3600;

/** Error texts of https://core.telegram.org/api/errors and the methods we call, first match wins. */
const ERROR_CLASSES: [RegExp, ClientErrorKind, string][] = [
  [/^(CONNECTION_)?API_ID_INVALID$/, 'permanent', 'API_KEYS_INVALID'],
  [/^PHONE_NUMBER_INVALID$/, 'permanent', 'PHONE_INVALID'],
  [/^PHONE_NUMBER_BANNED$/, 'permanent', 'PHONE_BANNED'],
  [/^PHONE_NUMBER_UNOCCUPIED$/, 'permanent', 'PHONE_UNKNOWN'],
  [/^PHONE_CODE_(INVALID|EMPTY)$/, 'permanent', 'CODE_INVALID'],
  [/^PHONE_CODE_(EXPIRED|HASH_EMPTY|HASH_INVALID)$/, 'permanent', 'CODE_EXPIRED'],
  [/^AUTH_TOKEN_(EXPIRED|INVALIDX?|ALREADY_ACCEPTED)$/, 'permanent', 'CODE_EXPIRED'],
  [/^PASSWORD_HASH_INVALID$/, 'permanent', 'PASSWORD_INVALID'],
  [/^(AUTH_KEY_(UNREGISTERED|INVALID|DUPLICATED|PERM_EMPTY)|SESSION_(REVOKED|EXPIRED))$/, 'auth', 'SESSION_EXPIRED'],
  [/^SESSION_PASSWORD_NEEDED$/, 'auth', 'SESSION_EXPIRED'],
  [/^USER_DEACTIVATED(_BAN)?$/, 'auth', 'ACCOUNT_BANNED'],
  // The session stays alive: https://core.telegram.org/api/auth#frozen-accounts
  [/^FROZEN_/, 'permanent', 'ACCOUNT_FROZEN'],
  [/^SEND_CODE_UNAVAILABLE$/, 'permanent', 'CODE_UNAVAILABLE'],
  [/^UPDATE_APP_TO_LOGIN$/, 'permanent', 'APP_OUTDATED'],
  [/^(PEER_ID|CHANNEL|CHAT_ID|USER_ID)_INVALID$/, 'permanent', 'PEER_GONE'],
  [/^(CHANNEL_PRIVATE|CHANNEL_PUBLIC_GROUP_NA|CHAT_FORBIDDEN|INPUT_USER_DEACTIVATED)$/, 'permanent', 'PEER_GONE'],
  [/^SRP_(ID_INVALID|PASSWORD_CHANGED)$/, 'temporary', 'UNAVAILABLE'],
];

/** Library errors about bytes it could not read. Their messages hold those bytes, so they must never be passed on. */
const UNREADABLE_ANSWER =
  /^(No more data left to read|Invalid (boolean|constructor) code|The value of "offset" is out|Attempt to access memory)/;

export function createMessengerError(kind: ClientErrorKind, code: string, reason?: string): ClientError {
  return new ClientError({ service: 'messenger', kind, code, cause: reason && new Error(reason) });
}

/** Maps errors of the library and the network to the product's own. */
export function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  if (isUnreadableAnswer(error)) return createMessengerError('permanent', 'PARSER_POISONED', 'an answer could not be read');
  if (error instanceof errors.RPCError) return fromRpcError(error);
  if (error instanceof errors.BadMessageError) return createMessengerError('temporary', 'UNAVAILABLE', error.message);
  if (!(error instanceof Error) || isProgrammingError(error))
    return createMessengerError('permanent', 'UNEXPECTED', String(error));
  // The library's word for a request that met only server-side errors.
  if (error.message.startsWith('Request was unsuccessful'))
    return createMessengerError('temporary', 'UNAVAILABLE', error.message);
  return createMessengerError('temporary', 'UNREACHABLE', error.message);
}

/** True when the code was right and the account asks for its password as well. */
export function asksForPassword(error: unknown): boolean {
  return telegramErrorName(error) === 'SESSION_PASSWORD_NEEDED';
}

/** The service's own word for what went wrong, for alerts; holds nothing a person wrote. */
export function telegramErrorName(error: unknown): string {
  return error instanceof ClientError && error.cause instanceof Error ? error.cause.message : '';
}

export function isUnreadableAnswer(error: unknown): boolean {
  return error instanceof errors.TypeNotFoundError || (error instanceof Error && UNREADABLE_ANSWER.test(error.message));
}

function fromRpcError(error: InstanceType<typeof errors.RPCError>): ClientError {
  // `message` is prose for people; `errorMessage` is the service's stable word.
  const word = error.errorMessage ?? '';
  const wait = /^(?:FLOOD|FLOOD_PREMIUM|FLOOD_TEST_PHONE|SLOWMODE)_WAIT_(\d+)$/.exec(word);
  if (wait) return createFloodWaitError(Number(wait[1]), word);
  if (/^PHONE_(NUMBER|PASSWORD)_FLOOD$/.test(word)) return createFloodWaitError(UNSTATED_WAIT_SECONDS, word);
  const verdict = ERROR_CLASSES.find(([pattern]) => pattern.test(word));
  if (verdict) return createMessengerError(verdict[1], verdict[2], word);
  if (Math.abs(error.code ?? 0) >= 500) return createMessengerError('temporary', 'UNAVAILABLE', word);
  return createMessengerError('permanent', 'UNEXPECTED', word);
}

function createFloodWaitError(retryAfterSeconds: number, reason: string): ClientError {
  const details = { service: 'messenger', kind: 'rateLimited', code: 'FLOOD_WAIT' } as const;
  return new ClientError({ ...details, retryAfterSeconds, cause: new Error(reason) });
}

/** A fault of ours or of the library, not of the network. */
function isProgrammingError(error: Error): boolean {
  const isProgramming = [TypeError, RangeError, ReferenceError].some(type => error instanceof type);
  return isProgramming || error.message.startsWith('Cannot find the DC');
}
