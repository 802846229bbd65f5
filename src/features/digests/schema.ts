import { z } from 'zod';
import {
  actionItem,
  SENTIMENTS,
  type StructuredDigest,
  structuredDigest,
  URGENCIES,
} from '../../clients/summarizer/types.ts';
import { rowReader } from '../../lib/db.ts';
import { pageField } from '../../lib/fields.ts';
import type { LinkedDialog } from '../contacts/matching/schema.ts';

/** How far the writing of a digest is, as its row says. */
export const WRITING_STATES = ['PENDING', 'SUMMARIZING', 'COMPLETE', 'FAILED', 'SKIPPED'] as const;
export type WritingState = (typeof WRITING_STATES)[number];

/**
 * The status of a digest in the API, which `digest_status` in the database derives from the writing and the note. A
 * written digest is SYNCING while its note is under way, and FAILED when the CRM refused it.
 */
export const DIGEST_STATUSES = ['PENDING', 'SUMMARIZING', 'SYNCING', 'COMPLETE', 'FAILED', 'SKIPPED'] as const;
export type DigestStatus = (typeof DIGEST_STATUSES)[number];

/** Why a digest was skipped. */
export const TOO_FEW_MESSAGES = 'TOO_FEW_MESSAGES';
export const OVER_PLAN = 'PLAN_LIMIT';

/** Excludes fields for internal use. */
export const itemJson = actionItem.pick({
  id: true,
  text: true,
  owner: true,
  ownerName: true,
  dueDate: true,
  dueText: true,
  sourceMessageIds: true,
});

export const EMPTY_CONTENT: StructuredDigest = Object.freeze({
  topics: [],
  actionItems: [],
  sentiment: 'neutral',
  urgency: 'none',
  meetings: [],
  introductions: [],
  dealSignals: [],
  links: [],
  language: 'und',
});

/** Sender and time (ISO 8601) of a message, without its text. */
export const sourceMessage = z.object({
  id: z.string(),
  sender: z.string(),
  /** The messenger's own; digests written before it was kept lack it. */
  senderId: z.string().optional(),
  fromUser: z.boolean(),
  sentAt: z.string(),
});
export type SourceMessage = z.output<typeof sourceMessage>;

/** Messages that a digest rests on: senders and times, no texts. */
export const digestSources = z.object({
  /** Position of each sourced sentence in the summary: characters from `from` to before `to`. */
  sentences: z.array(z.object({ from: z.number(), to: z.number(), messageIds: z.array(z.string()) })),
  /** The source messages of the sentences and action items, oldest first. */
  messages: z.array(sourceMessage),
});
export type DigestSources = z.output<typeof digestSources>;

/** The sources of a digest that was written before they were kept, or is read without them. */
export const NO_SOURCES: DigestSources = Object.freeze({ sentences: [], messages: [] });

const NO_TICKS: ReadonlySet<string> = new Set();

const digestJson = z
  .strictObject({
    id: z.string(),
    digestDate: z.iso.datetime().meta({ description: 'Midnight UTC of the user’s local day on which the sync started' }),
    messageCount: z.int(),
    status: z.enum(DIGEST_STATUSES),
    summary: z.string(),
    structuredData: z.strictObject({
      topics: z.array(z.string()),
      action_items: z.array(itemJson),
      sentiment: z.enum(SENTIMENTS),
      urgency: z.enum(URGENCIES),
    }),
    dialog: z.strictObject({ peerName: z.string(), peerUsername: z.string() }),
  })
  .meta({ id: 'Digest' });
export type DigestJson = z.output<typeof digestJson>;

export const digestsJson = z.strictObject({ digests: z.array(digestJson).max(50) });

const structuredInShort = structuredDigest
  .pick({ topics: true, sentiment: true, urgency: true })
  .extend({ actionItems: z.array(itemJson) });

/** The part of a digest that the API returns. No more is read, as a response has fifty. */
const digestInShort = z.object({
  id: z.string(),
  /** YYYY-MM-DD, the user's local day on which the sync started. */
  digestDate: z.string(),
  messageCount: z.number(),
  status: z.enum(DIGEST_STATUSES),
  summary: z.string(),
  structured: structuredInShort.nullable().transform(content => content ?? EMPTY_CONTENT),
  peerName: z.string(),
  peerUsername: z.string(),
});
export const digestInShortRow = rowReader(digestInShort);
export type DigestInShort = z.output<typeof digestInShort>;

const digest = z
  .object({
    ...digestInShort.shape,
    structured: structuredDigest.nullable().transform(said => said ?? EMPTY_CONTENT),
    dialogId: z.string(),
    writingState: z.enum(WRITING_STATES),
    /** It has a summary to show; one that is being rewritten shows its previous text. */
    isWritten: z.boolean(),
    engine: z.string(),
    /** When this server took its words from messages, where that was asked for; null where a model wrote it. */
    quotedAt: z.date().nullish(),
    /** Shown until the model has written. */
    isExcerpt: z.boolean().default(false),
    reason: z.string().nullable(),
    /** When the first message it rests on was sent; null where that was not kept or asked for. */
    firstMessageAt: z.date().nullable().default(null),
    lastMessageAt: z.date().nullable(),
    /** The conversation's greatest news of the days before, if the statement reads it. */
    newsBefore: z.number().nullish(),
    /** 1 for the greatest news of its day; null where no model ranked it. */
    newsRank: z.number().nullish(),
    sources: digestSources.nullish().transform(sources => sources ?? NO_SOURCES),
    coveredBy: z.string().nullable(),
    /** The ids of the action items that are done, where they were asked for. */
    ticked: z
      .array(z.string())
      .optional()
      .transform((ids): ReadonlySet<string> => (ids ? new Set(ids) : NO_TICKS)),
    peerPhone: z.string(),
    peerType: z.string(),
    peerKind: z.enum(['user', 'chat', 'channel']).optional(),
    peerKey: z.string().optional(),
    /** The user's choices for the conversation, if the statement reads them. */
    isPinned: z.boolean().default(false),
    isMuted: z.boolean().default(false),
  })
  .transform(({ coveredBy, peerKind, peerKey, ...fields }) => {
    const { peerName, peerUsername, peerPhone, peerType, isPinned, isMuted, ...row } = fields;
    return {
      ...row,
      /** True when a later digest covers these messages too. */
      isCovered: coveredBy !== null,
      dialog: {
        peerName,
        peerUsername,
        peerPhone,
        peerType,
        isPinned,
        isMuted,
        /** How the messenger knows it, where that was asked for. */
        ...(peerKind && peerKey !== undefined && { peer: { kind: peerKind, id: peerKey } }),
      },
    };
  });
export const digestRow = rowReader(digest);
export type Digest = z.output<typeof digest>;

/** A digest as pages show it: with its finished items and the match of its conversation. */
export type ShownDigest = Digest & { link: LinkedDialog };

/** The messages that a digest covers: those after `afterMessageId` up to `lastMessageId`. */
const coverage = z.object({
  digestId: z.string(),
  dialogId: z.string(),
  /** The sync that wrote it last. */
  jobId: z.string().nullable(),
  digestDate: z.string(),
  writingState: z.enum(WRITING_STATES),
  afterMessageId: z.coerce.number(),
  lastMessageId: z.coerce.number(),
  messageCount: z.number(),
  reason: z.string().nullable(),
  /** How often a worker died while it was being worked on. */
  crashes: z.number(),
  hasSummary: z.boolean(),
});
export const coverageRow = rowReader(coverage, { id: 'digestId' });
export type Coverage = z.output<typeof coverage>;

export const deletedJson = z.strictObject({ success: z.literal(true) });
export const allDeletedJson = z.strictObject({
  success: z.literal(true),
  deleted: z.int().meta({ description: 'How many digests had a text' }),
});

/** The page number of the conversation that the user came from. */
export const fromPage = z.object({ page: pageField });
