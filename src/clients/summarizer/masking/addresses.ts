import { isRandom } from './keys.ts';
import { MASK } from './mask.ts';

/** Addresses with a path, with or without a scheme: `hooks.example.com/services/T0/B0/x`. */
const ADDRESS =
  /(?<![\p{L}\p{N}@./:-])(?:[a-z][a-z\d+.-]{1,15}:\/\/)?(?:[^\s/?#@<>"']{1,100}@)?(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,24}(?::\d{1,5})?[/?#][^\s<>"'“”«»]+/giu;
/** Path segments that a key follows. */
const BEFORE_A_KEY =
  /^(?:reset(?:[-_]?password)?|password[-_]?reset|recover|verify(?:[-_]?email)?|confirm(?:ation)?|activate|magic(?:[-_]?link)?|login|signin|auth|token|tokens|invite|invitation|join|joinchat|unsubscribe|secret|share|hooks?|webhooks?|webhookb2|catch|services|workflows)$/i;
const BOT = /^bot\d{6,12}(?::|%3A)/i;
const INVITE = /^\+[\w-]{8,}$/;
/** Names of parameters whose value opens something. */
const KEY_NAME = /token|code|otp|passw|pwd|secret|key|sig(?:$|[-_n])|auth|session|sid$|ticket|invite|credential|hash$|jwt/i;
const MIN_KEY_LENGTH = 8;

/** Masks keys in links but keeps the host: tokens of resets and webhooks, names of bots, passwords, parameters. */
export const maskAddresses = (text: string): string => (text.includes('/') ? text.replaceAll(ADDRESS, maskAddress) : text);

function maskAddress(address: string): string {
  const [, start = '', rest = ''] = /^((?:[a-z][a-z\d+.-]{1,15}:\/\/)?[^/?#]{1,700})(.{0,9000})$/isu.exec(address) ?? [];
  if (start === '') return address;
  const parameters = rest.search(/[?#]/);
  const end = parameters < 0 ? rest.length : parameters;
  return withoutPassword(start) + maskPath(rest.slice(0, end)) + maskParameters(rest.slice(end));
}

function withoutPassword(start: string): string {
  const at = start.lastIndexOf('@');
  const scheme = start.indexOf('://') < 0 ? 0 : start.indexOf('://') + 3;
  return at < 0 ? start : `${start.slice(0, scheme)}${MASK}${start.slice(at)}`;
}

/** Masks everything after a segment that announces a key, and every segment that looks like one. */
function maskPath(path: string): string {
  let announced = false;
  return path
    .split('/')
    .map(segment => {
      const isKey = isLikeAKey(segment) || (announced && /\d|[A-Z]/.test(segment) && segment.length >= MIN_KEY_LENGTH);
      announced ||= BEFORE_A_KEY.test(segment);
      return isKey ? MASK : segment;
    })
    .join('/');
}

function isLikeAKey(segment: string): boolean {
  if (BOT.test(segment) || INVITE.test(segment)) return true;
  return /^[0-9a-f]{32,}$/i.test(segment) || segment.split(/[.~=]/).some(part => isRandom(part, 20));
}

function maskParameters(tail: string): string {
  return tail
    .split(/([?&#;])/)
    .map(part => {
      const [name = '', ...value] = part.split('=');
      const shown = value.join('=');
      if (shown === '') return isLikeAKey(part) ? MASK : part;
      return KEY_NAME.test(name) || isLikeAKey(shown) ? `${name}=${MASK}` : part;
    })
    .join('');
}
