import { toString as draw } from 'qrcode';
import { ClientError } from '../../../clients/errors.ts';
import { Conflict, InvalidInput, TooManyRequests } from '../../../lib/errors.ts';
import { describeOutage, FAILURES, sayAskedToWait } from '../../../lib/failures.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { dropPeriod, formatQuantity } from '../../../lib/words.ts';
import { withoutLineBreaks } from '../present.ts';
import type { OpenScan } from './checkScan.ts';
import type { ConnectStarted } from './service.ts';

export type StepName = 'phone' | 'code' | 'scan' | 'password';

type Banner = { tone: 'warn' | 'alert'; title: string; text: string; icon?: string; link?: { href: string; label: string } };

/** A failed step, with the text and the place to show it. */
export type StepError = {
  status: number;
  /** By field; shown in the error summary and at the field. */
  errors?: Record<string, string>;
  banner?: Banner;
  /** The form is of no use now: the banner replaces it. */
  hidesForm?: boolean;
  /** The sign-in can't continue; only a new code can. */
  isOver?: boolean;
  retryAfterSeconds?: number;
};

const OVER = new Set(['CODE_EXPIRED', 'AUTH_TOKEN_INVALID', 'ACCOUNT_BANNED', 'APP_OUTDATED']);
/** The first steps, before any code was requested. */
const BEGINNINGS = new Set<StepName>(['phone', 'scan']);

/** Rethrows errors it has no words for. */
export function toStepError(err: unknown, step: StepName): StepError {
  if (err instanceof InvalidInput && OVER.has(err.code)) return endedStep(400, err.message);
  if (err instanceof InvalidInput && Object.keys(err.fields).length > 0) return { status: 400, errors: err.fields };
  if (err instanceof Conflict && err.code === 'PLAN_LIMIT') return overPlan(err, step);
  if (err instanceof TooManyRequests && !BEGINNINGS.has(step)) return endedStep(429, err.message);
  if (err instanceof TooManyRequests)
    return mustWait(err.retryAfterSeconds, step, wait => `Too many codes. Try again in ${wait}`);
  if (err instanceof ClientError && err.kind === 'rateLimited') {
    return mustWait(err.retryAfterSeconds ?? 60, step, wait => dropPeriod(sayAskedToWait('messenger', wait)));
  }
  if (err instanceof ClientError && err.kind === 'temporary') return notReached(err);
  throw err;
}

function endedStep(status: number, sentence: string): StepError {
  const title = dropPeriod(sentence);
  return { status, hidesForm: true, isOver: true, banner: { tone: 'alert', title, text: 'Nothing changed in Telegram.' } };
}

/** The form stays: the person may mean a number that is already connected, or was before. */
function overPlan({ message }: Conflict, step: StepName): StepError {
  const title = dropPeriod(message);
  const way = 'Disconnect one first (its digests stay) or choose a larger plan.';
  const text = step === 'phone' ? `No code was sent. ${way}` : `Nothing was connected. ${way} ${AGAIN}`;
  const link = { href: '/settings/billing', label: 'Choose a larger plan' };
  return { status: 409, banner: { tone: 'warn', icon: 'info', title, text, link } };
}

const AGAIN = 'To sign in again to an account that is connected, use its phone number.';

/** A code that was sent stays valid, so its form stays. It says how long, as the time zone may not be known yet. */
function mustWait(seconds: number, step: StepName, say: (wait: string) => string): StepError {
  const title = say(formatQuantity(Math.max(1, Math.ceil(seconds / 60)), 'minute', 'minutes'));
  const text = `This protects your account. ${FAILURES.FLOOD_WAIT.advice}`;
  const banner = { tone: 'warn' as const, title, text };
  return { status: 429, retryAfterSeconds: seconds, hidesForm: BEGINNINGS.has(step), banner };
}

function notReached(err: ClientError): StepError {
  const title = dropPeriod(describeOutage(err).sentence);
  const text = 'Nothing was changed. Try again in a minute.';
  return { status: err.code === 'TIMEOUT' ? 504 : 502, banner: { tone: 'alert', title, text } };
}

/** How often, in seconds, a page asks what became of its code; a browser without JavaScript asks half as often. */
export const SCAN_POLL_SECONDS = 3;
/** Validity of a code to scan. */
const CODE_SECONDS = 30;

export type ShownScan = ReturnType<typeof presentScan>;

/** @param image SVG markup */
export function presentScan(check: OpenScan, image: string, now: Date) {
  if (check.state === 'expired') return { state: check.state };
  const secondsUntil = (moment: Date) => Math.ceil((moment.getTime() - now.getTime()) / 1000);
  const left = secondsUntil(check.endsAt);
  // The messenger's clock may differ from ours.
  const next = Math.min(CODE_SECONDS, Math.max(1, secondsUntil(check.codeExpiresAt)));
  const seconds = (count: number) => formatQuantity(count, 'second', 'seconds');
  // When the next code comes or, for the last one, how long it is shown.
  const words = next < left ? `New code in ${seconds(next)}` : `The last code, for ${seconds(left)}`;
  return { state: check.state, image, pollSeconds: SCAN_POLL_SECONDS, words };
}

/** Telegram is out of reach while a code is shown; the page keeps asking. */
export function describeLoginOutage(err: ClientError): Banner {
  const title = dropPeriod(describeOutage(err).sentence);
  return { tone: 'alert', title, text: 'This page tries again automatically.' };
}

const DELIVERY: Record<ConnectStarted['delivery'], (phone: string) => string> = {
  app: phone => `Telegram sent it to your Telegram app on ${phone}, not by SMS.`,
  sms: phone => `Telegram sent it by SMS to ${phone}.`,
  call: phone => `Telegram will call ${phone} with the code.`,
  other: phone => `Telegram sent it for ${phone}.`,
};

export function deliveryWords(sent: { phone: string; delivery: ConnectStarted['delivery'] }): string {
  return DELIVERY[sent.delivery](withoutLineBreaks(formatPhone(sent.phone)));
}

/** The code as an SVG image in black on white, with the quiet zone that scanners need; without inline styles. */
export async function drawScanCode(link: string): Promise<string> {
  return draw(link, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
