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

export const disconnectedJson = z.strictObject({
  success: z.literal(true),
  revoked: z
    .boolean()
    .meta({ description: 'False when Telegram couldn’t be reached; what was stored is deleted anyway' }),
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
