import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../../lib/queue.ts';

const login = z.object({
  step: z.enum(['scan', 'code', 'password', 'done']),
  sealedState: z.string().nullable(),
  wrongTries: z.number(),
  accountId: z.string().nullable(),
  expiresAt: z.date(),
});
export const loginRow = rowReader(login);
export type Login = z.output<typeof login>;

/** How long codes to scan are shown, one after the other: each is valid for about 30 seconds. */
export const SCAN_SECONDS = 120;

const phoneState = z.object({ session: z.string(), phone: z.string(), codeHash: z.string() });
const scanState = z.object({
  session: z.string(),
  /** The content of the code that is shown. */
  link: z.string(),
  codeExpiresAt: z.iso.datetime(),
  /** Set once an account of another data centre scanned the code: the session now belongs to that data centre. */
  movedToken: z.string().optional(),
});

/** The state of a sign-in between its steps, sealed. */
export const loginState = z.union([phoneState, scanState]);
export type LoginState = z.output<typeof loginState>;
export type ScanState = z.output<typeof scanState>;

/** Closes the session of a code that was shown. */
export const END_SCAN_QUEUE = {
  name: 'messenger-scan-end',
  policy: 'standard',
  ...RETRY_FOREVER,
} as const satisfies QueueDefinition;

export const endScanPayload = z.object({ userId: z.uuid(), tokenHash: z.string() });
export type EndScan = z.output<typeof endScanPayload>;

/** Accepts spaces, brackets and 00. Only the messenger knows whether a number exists. */
const phone = z
  .string()
  .max(40, 'This is too long for a phone number.')
  .transform(typed => typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+'))
  .refine(
    number => /^\+[1-9]\d{6,14}$/.test(number),
    'Enter the number with its country code, for example +49 171 3920012.',
  );

const code = z
  .string()
  .max(40, 'A code is only a few digits long.')
  .transform(typed => typed.replace(/[\s-]/g, ''))
  .refine(digits => /^\d{3,10}$/.test(digits), 'Enter the digits that Telegram sent you.');

const authToken = z.string().min(1, 'This is missing.').max(200, 'This token isn’t valid.');

export const connectInput = z.object({ phone });
export const verifyInput = z.object({ authToken, code });
export const verifyPasswordInput = z.object({
  authToken,
  password: z.string().min(1, 'Enter your two-step verification password.').max(512, 'This is too long for a password.'),
});
export const connectStartedJson = z.strictObject({ authToken: z.string() });

export const stepJson = z.union([
  z.strictObject({
    success: z.literal(true),
    accountId: z.string(),
    messengerUser: z.strictObject({ firstName: z.string(), lastName: z.string(), username: z.string() }),
  }),
  z.strictObject({ needs2FA: z.literal(true) }),
]);
export type StepJson = z.output<typeof stepJson>;
