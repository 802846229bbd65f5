import { z } from 'zod';
import { CRM_OBJECTS } from '../../clients/crm/types.ts';
import { rowReader } from '../../lib/db.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../lib/queue.ts';

const CONNECTION_STATUSES = ['active', 'expired', 'disconnected'] as const;

const connection = z.object({
  status: z.enum(CONNECTION_STATUSES),
  /** The CRM account, also of a connection that has ended; '' before the first. */
  portalId: z.string(),
  /** The account's domain, or ''. */
  portalName: z.string(),
  /** Sure matches (same phone or username) write notes without being asked. */
  sureMatchesWrite: z.boolean(),
  nameMatchesWrite: z.boolean(),
  /** Own promises with a due day become tasks. */
  tasksWrite: z.boolean(),
  /** Tasks' subjects may quote people. */
  tasksQuote: z.boolean(),
  /** Our contact properties exist in the CRM. */
  propertiesReady: z.boolean(),
  connectedAt: z.date().nullable(),
  /** The properties that the account is known to require. Empty on a row that was just written. */
  requirements: z
    .array(z.unknown())
    .nullish()
    .transform(rows => (rows ?? []).map(row => requirementRow.parse(row))),
});
export const connectionRow = rowReader(connection);

/** A user's connection to a CRM account. `expired`: the user must sign in again. */
export type CrmConnection = z.output<typeof connection>;

/** The defaults that hold before anything was chosen. */
export const NO_CONNECTION: CrmConnection = Object.freeze({
  status: 'disconnected',
  portalId: '',
  portalName: '',
  sureMatchesWrite: true,
  nameMatchesWrite: false,
  tasksWrite: false,
  tasksQuote: false,
  propertiesReady: false,
  connectedAt: null,
  requirements: [],
});

export type Switches = Pick<CrmConnection, 'sureMatchesWrite' | 'nameMatchesWrite' | 'tasksWrite' | 'tasksQuote'>;

/** Tokens as they are stored: sealed, and when the access token expires. */
const sealedTokens = z.object({ portalId: z.string(), credentials: z.string(), expiresAt: z.date() });
export const sealedTokensRow = rowReader(sealedTokens);
export type SealedTokens = z.output<typeof sealedTokens>;

const text = z.string().max(4000).optional().catch(undefined);
/** The query with which the CRM sends a browser back. Invalid parts count as missing. */
export const answerFromCrm = z.object({ code: text, state: text, error: text });

export const eventLoggedJson = z.strictObject({ received: z.literal(true) });

/** The content that is sealed in `credentials`. */
export const storedTokens = z.object({ accessToken: z.string().min(1), refreshToken: z.string().min(1) });
export type StoredTokens = z.output<typeof storedTokens>;

/** The CRM accepts notes again: it was reconnected, or a switch turned on. Handled by the feature that writes notes. */
export const CRM_READY_QUEUE: QueueDefinition = {
  name: 'crm-ready',
  policy: 'short',
  retryLimit: 3,
  retryBackoff: true,
  retryDelay: 5,
};

/**
 * Jobs that write one user's data to the CRM. At most one waits while another runs, so that a request in the last
 * moment of a job isn't lost. What the CRM doesn't accept yet is retried at growing intervals.
 */
export const CRM_WRITES = {
  policy: 'short',
  ...RETRY_FOREVER,
  expireInSeconds: 3600,
  retryDelay: 5,
  retryDelayMax: 300,
} as const satisfies Omit<QueueDefinition, 'name'>;

/**
 * A CRM account was connected: the conversations read so far are looked up in it. Declared here, handled by the feature
 * that matches them. It continues until they are matched or the connection ends.
 */
export const CRM_CONNECTED_QUEUE = {
  name: 'crm-connected',
  ...CRM_WRITES,
  expireInSeconds: 1800,
} as const satisfies QueueDefinition;

const requirement = z.object({
  type: z.enum(CRM_OBJECTS),
  /** The property's internal name there. */
  name: z.string(),
  /** Label shown in the CRM; '' if unknown. */
  label: z.string(),
  options: z.array(z.object({ label: z.string(), value: z.string() })),
  mayFill: z.boolean(),
  isConditional: z.boolean(),
  /** The value that the user entered for it, or ''. */
  value: z.string(),
  /** The CRM did not accept that value. */
  isRefused: z.boolean(),
});
export const requirementRow = rowReader(requirement, { object_type: 'type' });

/** A property that the user's CRM account requires of a kind of record. */
export type Requirement = z.output<typeof requirement>;

export const requirementKey = z.object({ type: z.enum(CRM_OBJECTS), name: z.string().max(100) });
export type RequirementKey = z.output<typeof requirementKey>;

/** The value to send. Only the CRM can say whether it accepts it. */
export const requirementValue = z
  .string()
  .trim()
  .min(1, 'Enter a value.')
  .max(1000, 'A value has at most 1,000 characters here.')
  .regex(/^\P{Cc}*$/u, 'This contains an invalid character.');

/** New users come from onboarding and return there. */
export const connectQuery = z.object({ from: z.literal('start').optional().catch(undefined) });
