import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureRefused } from '../../errors.ts';
import type { WebhookRequest } from '../types.ts';

const LONGEST_AGE_MS = 5 * 60_000;

/**
 * The vendor's third signature: https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 * Its own library compares character by character, by the machine's clock, accepts timestamps in the future and those
 * that are no number, and takes the body as text, so we check it ourselves. Throws {@link SignatureRefused}.
 */
export function verifyRequest(
  { method, url, rawBody, headers }: WebhookRequest,
  { secret, now }: { secret: string; now: Date },
): void {
  const { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !signature || !timestamp)
    throw new SignatureRefused('the signature is missing');
  const isRecent = /^\d{1,16}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp)) <= LONGEST_AGE_MS;
  const expected = createHmac('sha256', secret).update(`${method}${url}`).update(rawBody).update(timestamp).digest();
  const given = Buffer.from(signature, 'base64');
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isRecent || !isSame) throw new SignatureRefused('the signature is wrong or old');
}
