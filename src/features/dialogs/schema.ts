import { z } from 'zod';
import type { PeerReference, PeerType, UnreadableReason } from '../../clients/messenger/types.ts';

export const MATCH_STATUSES = [
  'UNMATCHED',
  'AUTO_PHONE',
  'AUTO_USERNAME',
  'AUTO_NAME',
  'CONFIRMED',
  'IGNORED',
  'CREATED',
] as const;
export type MatchStatus = (typeof MATCH_STATUSES)[number];

export const PEER_TYPES = ['user', 'group', 'supergroup', 'channel', 'bot'] as const satisfies readonly PeerType[];
const UNREADABLE = ['service', 'self', 'bot', 'channel', 'deleted'] as const;

export type Dialog = {
  id: string;
  userId: string;
  accountId: string;
  peerId: string;
  peerType: PeerType;
  peer: PeerReference;
  peerName: string;
  peerUsername: string;
  /** E.164 or ''. */
  peerPhone: string;
  unreadable: UnreadableReason;
  /** The person's own switch; null leaves it to the rule. */
  trackingChoice: boolean | null;
  topMessageId: number;
  lastMessageAt: Date | null;
  unreadCount: number;
  /** The last message that stands in a digest; null before the first sync. */
  cursorMessageId: number | null;
  lastSyncedAt: Date | null;
  matchStatus: MatchStatus;
  matchConfidence: number;
  crmContactId: string;
  crmContactName: string | null;
  /** Seen in a digest: the user wrote, the other side wrote. */
  userWrote: boolean;
  peerWrote: boolean;
};

/** pg hands bigint over as text; message ids stay far below 2^53. */
const messageId = z.coerce.number().int();

export const dialogRow = z.compile(
  z
    .object({
      id: z.string(),
      user_id: z.string(),
      account_id: z.string(),
      peer_id: z.string(),
      peer_type: z.enum(PEER_TYPES),
      peer_kind: z.enum(['user', 'chat', 'channel']),
      peer_key: z.string(),
      access_hash: z.string(),
      peer_name: z.string(),
      peer_username: z.string(),
      peer_phone: z.string(),
      unreadable: z.enum(UNREADABLE).nullable(),
      tracking_choice: z.boolean().nullable(),
      top_message_id: messageId,
      last_message_at: z.date().nullable(),
      unread_count: z.number(),
      cursor_message_id: messageId.nullable(),
      last_synced_at: z.date().nullable(),
      match_status: z.enum(MATCH_STATUSES),
      match_confidence: z.coerce.number(),
      crm_contact_id: z.string(),
      crm_contact_name: z.string().nullable(),
      user_wrote: z.boolean(),
      peer_wrote: z.boolean(),
    })
    .transform(
      (row): Dialog => ({
        id: row.id,
        userId: row.user_id,
        accountId: row.account_id,
        peerId: row.peer_id,
        peerType: row.peer_type,
        peer: { kind: row.peer_kind, id: row.peer_key, accessHash: row.access_hash },
        peerName: row.peer_name,
        peerUsername: row.peer_username,
        peerPhone: row.peer_phone,
        unreadable: row.unreadable,
        trackingChoice: row.tracking_choice,
        topMessageId: row.top_message_id,
        lastMessageAt: row.last_message_at,
        unreadCount: row.unread_count,
        cursorMessageId: row.cursor_message_id,
        lastSyncedAt: row.last_synced_at,
        matchStatus: row.match_status,
        matchConfidence: row.match_confidence,
        crmContactId: row.crm_contact_id,
        crmContactName: row.crm_contact_name,
        userWrote: row.user_wrote,
        peerWrote: row.peer_wrote,
      }),
    ),
);

export const trackInput = z.object({
  dialogId: z.string().min(1, 'This is missing.'),
  isTracked: z.boolean(),
});
