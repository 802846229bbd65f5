import { z } from 'zod';
import { MATCH_STATUSES, PEER_TYPES } from '../dialogs/schema.ts';

export type AccountStatus = 'active' | 'expired' | 'banned' | 'inactive';

/** A connected messenger account as its owner may see it: without its credentials. */
export type MessengerAccount = {
  id: string;
  phone: string;
  firstName: string;
  lastName: string;
  username: string;
  status: AccountStatus;
  connectedAt: Date;
  lastUsedAt: Date | null;
  /** Until then the messenger wants no calls. */
  floodUntil: Date | null;
};

const status = z.enum(['active', 'expired', 'banned', 'inactive']);

export const accountRow = z.compile(
  z
    .object({
      id: z.string(),
      phone: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      username: z.string(),
      status,
      connected_at: z.date(),
      last_used_at: z.date().nullable(),
      flood_until: z.date().nullable(),
    })
    .transform(
      (row): MessengerAccount => ({
        id: row.id,
        phone: row.phone,
        firstName: row.first_name,
        lastName: row.last_name,
        username: row.username,
        status: row.status,
        connectedAt: row.connected_at,
        lastUsedAt: row.last_used_at,
        floodUntil: row.flood_until,
      }),
    ),
);

/** What the code that opens connections needs beside that. */
export type SealedAccount = {
  id: string;
  status: AccountStatus;
  sealedCredentials: string | null;
  revokedAt: Date | null;
  dialogsListedAt: Date | null;
  /** Until then the messenger wants no calls. */
  floodUntil: Date | null;
};

export const sealedAccountRow = z
  .object({
    id: z.string(),
    status,
    credentials: z.string().nullable(),
    revoked_at: z.date().nullable(),
    dialogs_listed_at: z.date().nullable(),
    flood_until: z.date().nullable(),
  })
  .transform(
    (row): SealedAccount => ({
      id: row.id,
      status: row.status,
      sealedCredentials: row.credentials,
      revokedAt: row.revoked_at,
      dialogsListedAt: row.dialogs_listed_at,
      floodUntil: row.flood_until,
    }),
  );

export const loginRow = z
  .object({
    step: z.enum(['code', 'password', 'done']),
    sealed_state: z.string().nullable(),
    wrong_tries: z.number(),
    account_id: z.string().nullable(),
    expires_at: z.date(),
    is_busy: z.boolean(),
  })
  .transform(row => ({
    step: row.step,
    sealedState: row.sealed_state,
    wrongTries: row.wrong_tries,
    accountId: row.account_id,
    expiresAt: row.expires_at,
    isBusy: row.is_busy,
  }));

export type Login = z.output<typeof loginRow>;

/** What a sign-in carries from step to step, sealed. */
export const loginState = z.object({ session: z.string(), phone: z.string(), codeHash: z.string() });
export type LoginState = z.output<typeof loginState>;

/** People type numbers with spaces, brackets and 00. Whether it exists, the messenger knows. */
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
  .max(40, 'The code is only a few digits long.')
  .transform(typed => typed.replace(/[\s-]/g, ''))
  .refine(digits => /^\d{3,10}$/.test(digits), 'Enter the digits that Telegram sent you.');

const authToken = z.string().min(1, 'This is missing.').max(200, 'This is not a token of ours.');

export const connectInput = z.object({ phone });
export const verifyInput = z.object({ authToken, code });
export const verifyPasswordInput = z.object({
  authToken,
  password: z.string().min(1, 'Enter your two-step password.').max(512, 'This is too long for a password.'),
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

export const disconnectedJson = z.strictObject({
  success: z.literal(true),
  revoked: z
    .boolean()
    .meta({ description: 'False when the messenger could not be told; what was stored is gone anyway' }),
});

const dialogJson = z
  .strictObject({
    id: z.string(),
    accountId: z.string(),
    peerId: z.string(),
    peerType: z.enum(PEER_TYPES),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string().meta({ description: 'E.164, or empty when the person hides it' }),
    isTracked: z.boolean(),
    lastMessageAt: z.iso.datetime().nullable(),
    unreadCount: z.int(),
    matchStatus: z.enum(MATCH_STATUSES),
    matchConfidence: z.number().min(0).max(1),
    crmContactId: z.string(),
    crmContactName: z.string().nullable(),
    lastSyncedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Dialog' });
export type DialogJson = z.output<typeof dialogJson>;

export const dialogsJson = z.strictObject({ dialogs: z.array(dialogJson) });
export const trackedJson = z.strictObject({ success: z.literal(true), dialog: dialogJson });

export const disconnectInput = z.object({ accountId: z.string().min(1, 'This is missing.') });
