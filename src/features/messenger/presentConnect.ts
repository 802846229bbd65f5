import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { ClientError } from '../../clients/errors.ts';
import { InvalidInput, TooManyRequests } from '../../lib/errors.ts';
import { localDay } from '../../lib/timezones.ts';
import { clockTime, nearDay } from '../../lib/words.ts';
import type { ConnectStarted } from './connect.ts';

/** What went wrong with a step, in the words and at the place the person meets it. */
export type StepTrouble = {
  status: number;
  /** By field; shown in the summary and at the field. */
  errors?: Record<string, string>;
  banner?: { tone: 'warn' | 'alert'; title: string; text: string };
  /** The step can't go on; a new code starts it again. */
  isOver?: boolean;
  retryAfterSeconds?: number;
};

type Now = { now: Date; timezone: string };

const OVER = new Set(['CODE_EXPIRED', 'AUTH_TOKEN_INVALID']);

/** Throws what it has no words for. */
export function troubleOf(err: unknown, { now, timezone }: Now): StepTrouble {
  if (err instanceof InvalidInput) {
    if (OVER.has(err.code)) return { status: 400, isOver: true, banner: startAgain('alert', err.message) };
    if (Object.keys(err.fields).length > 0) return { status: 400, errors: err.fields };
  }
  const seconds = waitOf(err);
  if (seconds !== undefined) {
    const until = new Date(now.getTime() + seconds * 1000);
    return { status: 429, retryAfterSeconds: seconds, isOver: true, banner: waitBanner(err, until, { now, timezone }) };
  }
  if (err instanceof ClientError && err.kind === 'temporary') {
    const title = err.code === 'TIMEOUT' ? 'Telegram did not answer in time' : "Telegram can't be reached right now";
    const text = 'Nothing was changed. Try again in a minute.';
    return { status: err.code === 'TIMEOUT' ? 504 : 502, banner: { tone: 'alert', title, text } };
  }
  throw err;
}

function startAgain(tone: 'alert', title: string): StepTrouble['banner'] {
  return { tone, title: title.replace(/\.$/, ''), text: 'Nothing was changed at Telegram.' };
}

function waitOf(err: unknown): number | undefined {
  if (err instanceof TooManyRequests) return err.retryAfterSeconds;
  if (err instanceof ClientError && err.kind === 'rateLimited') return err.retryAfterSeconds ?? 60;
  return undefined;
}

function waitBanner(err: unknown, until: Date, { now, timezone }: Now): StepTrouble['banner'] {
  const time = momentWords(until, { now, timezone });
  if (err instanceof ClientError) {
    const text =
      'Too many codes were asked for. This protects your account; trying again earlier makes the wait longer.';
    return { tone: 'warn', title: `Telegram asks us to wait until ${time}`, text };
  }
  return { tone: 'warn', title: `Too many tries. Go on at ${time}`, text: 'This protects your account from guessing.' };
}

function momentWords(moment: Date, { now, timezone }: Now): string {
  const time = clockTime(moment, timezone);
  const day = localDay(moment, timezone);
  const today = localDay(now, timezone);
  return day === today ? time : `${time} on ${nearDay(day, today)}`;
}

const DELIVERY: Record<ConnectStarted['delivery'], (phone: string) => string> = {
  app: phone => `Telegram sent it to your Telegram app on ${phone}, not by SMS.`,
  sms: phone => `Telegram sent it by SMS to ${phone}.`,
  call: phone => `Telegram calls ${phone} and says it.`,
  other: phone => `Telegram sent it for ${phone}.`,
};

export function deliveryWords(sent: { phone: string; delivery: ConnectStarted['delivery'] }): string {
  return DELIVERY[sent.delivery](readablePhone(sent.phone));
}

/** `+49 171 3920012` */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** `+49 171 ••••• 12`: enough to recognise the own number by. */
export function maskedPhone(phone: string): string {
  const [country = '', area = ''] = readablePhone(phone).split(' ');
  return phone === '' ? '' : `${[country, area.slice(0, 3)].filter(Boolean).join(' ')} ••••• ${phone.slice(-2)}`;
}
