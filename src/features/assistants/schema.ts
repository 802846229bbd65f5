import { z } from 'zod';
import { isUuid, rowReader } from '../../lib/db.ts';
import type { Feed } from '../promises/calendar/repo.ts';
import type { Token } from './tokens/schema.ts';

const consent = z.object({
  id: z.string(),
  /** Null once the token is revoked. */
  tokenId: z.string().nullable(),
  /** Null: all private conversations. Otherwise one group. */
  dialogId: z.string().nullable(),
  /** The name of the token it was given to. */
  assistant: z.string(),
  wording: z.string(),
  agreedAt: z.date(),
  /** Null while it holds. */
  endedAt: z.date().nullable(),
});
export const consentRow = rowReader(consent, { grantee_id: 'tokenId' });
export type Consent = z.output<typeof consent>;

/** Includes the group's name if the consent concerns one. */
const namedConsent = consent.extend({ dialogName: z.string().nullable() });
export const namedConsentRow = rowReader(namedConsent, { grantee_id: 'tokenId' });
export type NamedConsent = z.output<typeof namedConsent>;

/** `name` is never empty. */
export type Group = { id: string; name: string };

export const MAX_GROUPS = 500;

export const readableRow = rowReader(z.object({ id: z.string(), isMuted: z.boolean(), isReadable: z.boolean() }));

export const agreeForm = z.object({
  private: z.literal('1').optional().catch(undefined),
  groups: z
    .union([z.string().transform(id => [id]), z.array(z.string()).max(MAX_GROUPS)])
    .default([])
    .transform(ids => [...new Set(ids.filter(isUuid))]),
});
/** The conversations that an assistant may read: all private ones, if `isPrivate`, and these groups. */
export type Agreed = { isPrivate: boolean; groups: readonly string[] };

/** The question of what an assistant may read, with the answer that holds. */
export type ConsentForm = { token: Token; agreed: Agreed; groups: Group[] };

const lastCall = z.object({ tool: z.string(), at: z.date(), leftOut: z.int() });
export const lastCallRow = rowReader(lastCall);

/** The assistant's last call, and the number of conversations it may not read. */
export type LastCall = z.output<typeof lastCall>;

export type Apps = {
  now: Date;
  timezone: string;
  tokens: Token[];
  reading: ReadableByToken;
  feed: Feed | undefined;
  lastCall: LastCall | undefined;
};

/** How much each token of an assistant may read, by its id. */
type ReadableByToken = ReadonlyMap<string, { isPrivate: boolean; groups: number }>;
