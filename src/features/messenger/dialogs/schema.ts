import { z } from 'zod';
import type { PeerReference, PeerType } from '../../../clients/messenger/types.ts';
import { rowReader, toSnakeCase } from '../../../lib/db.ts';

const AUTOMATIC = ['AUTO_PHONE', 'AUTO_USERNAME', 'AUTO_NAME'] as const;
export const MATCH_STATUSES = ['UNMATCHED', ...AUTOMATIC, 'CONFIRMED', 'IGNORED', 'CREATED'] as const;
export type MatchStatus = (typeof MATCH_STATUSES)[number];

export const PEER_TYPES = ['user', 'group', 'supergroup', 'channel', 'bot'] as const satisfies readonly PeerType[];
const UNREADABLE = ['service', 'self', 'bot', 'channel', 'deleted'] as const;

/** pg hands bigint over as text; message ids stay far below 2^53. */
const messageId = z.coerce.number().int();

/** The columns of a conversation, except how the messenger addresses it. */
export const dialogShape = {
  id: z.string(),
  userId: z.string(),
  accountId: z.string(),
  peerId: z.string(),
  peerType: z.enum(PEER_TYPES),
  peerName: z.string(),
  peerUsername: z.string(),
  /** E.164 or ''. */
  peerPhone: z.string(),
  unreadable: z.enum(UNREADABLE).nullable(),
  /** The person's own switch; null leaves it to the rule. */
  trackingChoice: z.boolean().nullable(),
  /** Always first on Today, and in full. Never together with `isMuted`. */
  isPinned: z.boolean(),
  /** Read and digested, but on Today only in the list of everything. */
  isMuted: z.boolean(),
  topMessageId: messageId,
  lastMessageAt: z.date().nullable(),
  unreadCount: z.number(),
  /** The last message covered by a digest; null before the first sync. */
  cursorMessageId: messageId.nullable(),
  lastSyncedAt: z.date().nullable(),
  matchStatus: z.enum(MATCH_STATUSES),
  matchConfidence: z.coerce.number(),
  crmContactId: z.string(),
  crmContactName: z.string().nullable(),
  /** Seen in a digest: the user wrote, the other side wrote. */
  userWrote: z.boolean(),
  peerWrote: z.boolean(),
};

const stored = z.object({
  ...dialogShape,
  peerKind: z.enum(['user', 'chat', 'channel']),
  peerKey: z.string(),
  accessHash: z.string(),
});
/** Excludes match reasons, which are larger than the rest. */
export const DIALOG_COLUMNS = Object.keys(stored.shape).map(property => `dialogs.${toSnakeCase(property)}`);

const dialog = stored.transform(({ peerKind, peerKey, accessHash, ...row }) => {
  const peer: PeerReference = { kind: peerKind, id: peerKey, accessHash };
  return { ...row, peer };
});
export const dialogRow = rowReader(dialog);
export type Dialog = z.output<typeof dialog>;

/** Number of an account's conversations with equal reading criteria. */
const dialogCount = z.object({
  accountId: dialogShape.accountId,
  peerType: dialogShape.peerType,
  unreadable: dialogShape.unreadable,
  trackingChoice: dialogShape.trackingChoice,
  count: z.number(),
});
export const dialogCountRow = rowReader(dialogCount);
export type DialogCount = z.output<typeof dialogCount>;

/** How a person wants a conversation on Today: first and in full, only among everything, or as its digests say. */
const PROMINENCES = ['pinned', 'muted', 'normal'] as const;
export type Prominence = (typeof PROMINENCES)[number];

export const trackInput = z.object({ dialogId: z.string().min(1, 'This is missing.'), isTracked: z.boolean() });

export const prominenceForm = z.object({
  choice: z.enum(PROMINENCES),
  /** The page with the buttons. */
  back: z.string().max(2000).optional().catch(undefined),
  /** `toast`: the choice is undone in the line that announced it, which then disappears. */
  from: z.literal('toast').optional().catch(undefined),
});

/** The value of `?was=` in the address, after a choice without JavaScript: the conversation and its previous state. */
export const wasToken = z.string().transform((token, context) => {
  const [dialogId = '', before] = token.split('.');
  const known = PROMINENCES.find(name => name === before);
  if (known) return { dialogId, before: known };
  context.addIssue('This is no conversation with what it was before.');
  return z.NEVER;
});

export type DialogKey = { userId: string; dialogId: string };
export type AccountKey = { userId: string; accountId: string };
