import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import { dialogName } from '../dialogs/rules.ts';
import { PEER_TYPES } from '../dialogs/schema.ts';

/** The model the operator configured, and the host it is asked at. */
export type AiService = { model: string; host: string };

/** Writers: the summarizer on this server, a model, or the operator's setting. */
const WRITERS = ['built-in', 'model', 'operator'] as const;
/** Writers that a user may choose. */
const OFFERED_WRITERS = ['built-in', 'model'] as const;
export type OfferedWriter = (typeof OFFERED_WRITERS)[number];

const END_REASONS = ['taken back', 'replaced', 'disconnected'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A choice about to be stored. `wording` is what the person read, or what the API's description says. */
export type NewChoice = { wording: string } & (
  | { writer: 'built-in' | 'operator'; model: null; host: null }
  /** An answer given in the middle of connecting, before terms were counted, lacks them. */
  | ({ writer: 'model'; terms?: number } & AiService)
);

/** For an account, or for one of its conversations. */
export type ChoiceScope = { userId: string; accountId: string; dialogId: string | null };

const writerChoice = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Null: the choice is the account's. */
  dialogId: z.string().nullable(),
  writer: z.enum(WRITERS),
  /** Both set only for a model. */
  model: z.string().nullable(),
  host: z.string().nullable(),
  wording: z.string(),
  /** Version of the consent text that the person read. */
  terms: z.number(),
  chosenAt: z.date(),
  /** Null while it holds. */
  endedAt: z.date().nullable(),
  endReason: z.enum(END_REASONS).nullable(),
});
export const writerChoiceRow = rowReader(writerChoice);
export type WriterChoice = z.output<typeof writerChoice>;

/** Includes the conversation's name if the choice concerns one. */
const namedChoice = writerChoice
  .extend({ peerName: z.string().nullable(), peerUsername: z.string().nullable(), peerPhone: z.string().nullable() })
  .transform(({ peerName, peerUsername, peerPhone, ...choice }) => ({
    ...choice,
    /** Null if the choice is for a whole account, or its conversation is gone. */
    dialogName:
      peerName === null ? null : dialogName({ peerName, peerUsername: peerUsername ?? '', peerPhone: peerPhone ?? '' }),
  }));
export const namedChoiceRow = rowReader(namedChoice);
export type NamedChoice = z.output<typeof namedChoice>;

const consentContext = z
  .object({
    writer: z.enum(WRITERS),
    model: z.string().nullable(),
    host: z.string().nullable(),
    terms: z.number(),
    chosen_at: z.string(),
  })
  .transform(({ chosen_at, ...choice }) => ({ ...choice, chosenAt: new Date(chosen_at) }));

/** The data that decides who writes the digests of one conversation. */
export const consentContextRow = z.object({
  peerType: z.enum(PEER_TYPES),
  ofAccount: consentContext.nullable(),
  ofDialog: consentContext.nullable(),
});
export type ConsentContext = z.output<typeof consentContextRow>;

export const writerInput = z.object({ writer: z.enum(OFFERED_WRITERS, 'Choose who writes your digests.') });

/** Page that led to the question; unknown values are ignored. */
export const fromForm = z.object({ from: z.enum(['today', 'privacy', 'start']).optional().catch(undefined) });
