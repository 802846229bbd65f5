import { z } from 'zod';
import { rowReader, toSnakeCase } from '../../../lib/db.ts';

/** `read`: what the GET addresses of the API show; `promises`: changing them; `assistant`: the tools at /mcp. */
export const SCOPES = ['read', 'promises', 'assistant'] as const;
export type TokenScope = (typeof SCOPES)[number];

/** Lifetime of a token in days; `never` ends by revocation only. */
export const LIFETIMES = { '30': 30, '90': 90, '365': 365, never: null } as const;
export type Lifetime = keyof typeof LIFETIMES;

export const MAX_NAME_LENGTH = 60;

/** How often something was read, changed and refused for want of a scope. */
const counts = z.object({ reads: z.int(), changes: z.int(), refused: z.int() });
export type Counts = z.output<typeof counts>;

/** The uses of one hour, which begins at `hour` (ISO 8601, UTC). */
const usesOfHour = counts.extend({ hour: z.string() });
export type UsesOfHour = z.output<typeof usesOfHour>;

const token = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.date(),
  /** Null: it lives until it is revoked. */
  expiresAt: z.date().nullable(),
  /** To the minute; null before the first use. */
  lastUsedAt: z.date().nullable(),
  /** The hours of the last day in which it was used, those of the last minutes perhaps not yet. */
  uses: z.array(usesOfHour),
  /** Null unless an assistant called one. */
  lastTool: z.string().nullable(),
  lastToolAt: z.date().nullable(),
});
/** All but the hash. */
export const TOKEN_COLUMNS = Object.keys(token.shape).map(toSnakeCase);
export const tokenRow = rowReader(token);
export type Token = z.output<typeof token>;

/** The owner of a token as a request sees them. */
export const bearerRow = rowReader(token.extend({ email: z.string(), ownerName: z.string().nullable() }));

const scope = z.enum(SCOPES, 'Choose what it may do.');

export const createForm = z.object({
  /** Made anew for each form shown, so that a form sent twice creates one token. */
  id: z.guid('Reload the page and try again.').transform(text => text.toLowerCase()),
  name: z
    .string('Give it a name.')
    .trim()
    .min(1, 'Give it a name.')
    .max(MAX_NAME_LENGTH, `Use at most ${MAX_NAME_LENGTH} characters.`),
  scopes: z
    .union([scope.transform(one => [one]), z.array(scope)], 'Choose what it may do.')
    .transform(scopes => SCOPES.filter(one => scopes.includes(one))),
  lifetime: z.enum(Object.keys(LIFETIMES) as [Lifetime, ...Lifetime[]], 'Choose when it ends.'),
});
export type CreateForm = z.output<typeof createForm>;
