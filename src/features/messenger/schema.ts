import { z } from 'zod';
import { rowReader } from '../../lib/db.ts';
import { MATCH_STATUSES, PEER_TYPES } from './dialogs/schema.ts';

const status = z.enum(['active', 'expired', 'banned', 'inactive']);
export type AccountStatus = z.output<typeof status>;

/** A connected messenger account as its owner may see it: without its credentials. */
const account = z.object({
  id: z.string(),
  phone: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  status,
  connectedAt: z.date(),
  lastUsedAt: z.date().nullable(),
  /** The messenger wants no calls before this time. */
  floodUntil: z.date().nullable(),
});
export const accountRow = rowReader(account);
export type MessengerAccount = z.output<typeof account>;

/** The calls that the messenger is known to limit, each separately. */
export const PACED_KINDS = ['dialogs', 'history'] as const;
export type PacedKind = (typeof PACED_KINDS)[number];

/** The longest gap between two calls. */
export const MAX_GAP_MS = 20_000;

/** The call rates learned from the messenger's last flood wait, by kind of call. */
const callRates = z.partialRecord(
  z.enum(PACED_KINDS),
  z.object({ everyMs: z.number().positive().max(MAX_GAP_MS), learnedAt: z.iso.datetime() }),
);
export type CallRates = z.output<typeof callRates>;

/** The account with the fields that only the code that opens connections needs. */
const sealedAccount = z.object({
  ...account.pick({ id: true, status: true, floodUntil: true }).shape,
  sealedCredentials: z.string().nullable(),
  revokedAt: z.date().nullable(),
  dialogsListedAt: z.date().nullable(),
  /** Null until all conversations were listed once. */
  allDialogsListedAt: z.date().nullable(),
  /** Everything that moved before this time, by the messenger's clock, is stored. */
  dialogsKnownUntil: z.date().nullable(),
  callRates,
});
export const sealedAccountRow = rowReader(sealedAccount, { credentials: 'sealedCredentials' });
export type SealedAccount = z.output<typeof sealedAccount>;

export const disconnectedJson = z.strictObject({
  success: z.literal(true),
  revoked: z.boolean().meta({ description: 'False when Telegram was out of reach; what was stored is deleted anyway' }),
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
/** The same from a row, without what the API does not show. */
export const listedDialog = z.object(dialogJson.shape);

export const dialogsJson = z.strictObject({ dialogs: z.array(dialogJson) });
export const trackedJson = z.strictObject({ success: z.literal(true), dialog: dialogJson });

export const disconnectInput = z.object({ accountId: z.string().min(1, 'This is missing.') });
