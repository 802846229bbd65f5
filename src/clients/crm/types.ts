import { z } from 'zod';
import { ClientError } from '../errors.ts';

/** The credentials of a connection. Both tokens are secrets; the refresh token opens the whole CRM account. */
export type CrmTokens = { accessToken: string; refreshToken: string; expiresInSeconds: number };

/** The CRM account that tokens belong to. */
export type CrmAccount = {
  portalId: string;
  /** The account's domain, for people; '' when the CRM does not tell. */
  name: string;
};

/** A person's record. Absent values are ''. */
export const crmContact = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  company: z.string(),
  /** As typed, in any format. */
  phone: z.string(),
  mobilePhone: z.string(),
  messengerUsername: z.string(),
  messengerUserId: z.string(),
  /** Records that were merged into this one: asked for by such an id, the CRM answers with this record. */
  mergedIds: z.array(z.string()),
});
export type CrmContact = z.output<typeof crmContact>;

/** The fields of a contact that may be written. A field that is absent stays as it is. */
export type ContactDetails = Partial<{
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  phone: string;
  messengerUsername: string;
  messengerUserId: string;
  messengerLastSync: Date;
  messengerDigestCount: number;
}>;

/** Properties a search may ask for, in our terms. The searchable ones hold area code and number, no country code. */
export type SearchField =
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'company'
  | 'phone'
  | 'mobilePhone'
  | 'searchablePhone'
  | 'searchableMobilePhone'
  | 'messengerUsername'
  | 'messengerUserId';

/** `any`: equals one of these lower-case values. `token`: has this word; * stands for any letters. Accents count. */
export type SearchFilter = { field: SearchField } & ({ any: readonly string[] } | { token: string });

/** Groups are alternatives; within a group all filters must hold. */
export type ContactSearch = { groups: readonly (readonly SearchFilter[])[] };

/** The CRM's own limits of a search: https://developers.hubspot.com/docs/api-reference/search/guide */
export const SEARCH_LIMITS = Object.freeze({ groups: 5, filtersInGroup: 6, filters: 18, bodyCharacters: 3000, page: 200 });

export type NewNote = {
  /** A unique word within `bodyHtml` by which the note is found again. */
  marker: string;
  contactId: string;
  /** The note's position on the record's timeline. */
  at: Date;
  bodyHtml: string;
};

/** Why a record was not accepted. The last two hold until the account's rules change or a person says what to send. */
export type CrmRefusal = 'CRM_CONTACT_GONE' | 'CRM_REFUSED' | 'CRM_PROPERTY_REQUIRED' | 'CRM_ASSOCIATION_REFUSED';

/** Ids of new records by marker, and the refusal of one record of an accepted batch. */
export type Created = { created: Map<string, string>; refused: Map<string, CrmRefusal> };

/** The ids of records that are gone, and why others were not changed. */
export type Updated = { gone: string[]; refused: Map<string, CrmRefusal> };

/** A record to look for: its marker is in the text of one on this contact. */
export type RecordLookup = { contactId: string; marker: string };

/** The kinds of records that are written. */
export const CRM_OBJECTS = ['contacts', 'notes', 'tasks'] as const;
export type CrmObject = (typeof CRM_OBJECTS)[number];

/** A property that the account requires, by its internal name. */
export type RequiredProperty = {
  name: string;
  /** Label shown in the CRM; '' if unreadable. */
  label: string;
  /** The values it takes; empty where it takes any text. */
  options: { label: string; value: string }[];
  /** False if the values must differ between records, as for email addresses. */
  mayFill: boolean;
  /** Only of some records. */
  isConditional: boolean;
  /** The CRM refused a value sent for it. */
  isRefused: boolean;
};

type TaskText = { subject: string; dueAt: Date };

export type NewTask = TaskText & {
  /** A unique word within `bodyHtml` by which the task is found again. */
  marker: string;
  contactId: string;
  bodyHtml: string;
  isUrgent: boolean;
  /** Assignee; '' for none. Omitted if the CRM refuses owners. */
  ownerId: string;
};

/** The fields of a task to change; the others stay as they are in the CRM. */
export type TaskChange = { id: string; subject?: string; dueAt?: Date; isCompleted?: boolean };

/** `completedAt` names the completion; '' where the CRM does not tell. */
export type TaskState = { isCompleted: boolean; completedAt: string };

/** The open CRM account of one user. Every method has a deadline and waits for its turn; batches hold at most 100. */
export type Crm = {
  /** One search call for at most {@link SEARCH_LIMITS.page} records; `more` says that another page exists. */
  searchContacts(search: ContactSearch): Promise<{ contacts: CrmContact[]; more: boolean }>;
  /** The records that exist, by the id asked for; a merged record under its old id, with the new one inside. */
  readContacts(ids: readonly string[]): Promise<Map<string, CrmContact>>;
  /** The record that has this messenger user id. Not a search: sees records as soon as they are written. */
  findByMessengerUserId(messengerUserId: string): Promise<CrmContact | undefined>;
  /** Throws {@link ContactExists}. Never retried automatically. */
  createContact(details: ContactDetails): Promise<CrmContact>;
  /** Writes many records in one call. Returns the ids that are gone or refused it. */
  updateContacts(
    updates: readonly { id: string; details: ContactDetails }[],
  ): Promise<{ gone: string[]; refused: string[] }>;
  /** Creates our properties and their group; existing ones are fine. */
  ensureProperties(): Promise<void>;
  /** One call without retries: after a `temporary` failure, the outcome is unknown. */
  createNotes(notes: readonly NewNote[]): Promise<Created>;
  /** One idempotent call. Returns the ids that are gone, and those that the CRM refuses. */
  updateNotes(notes: readonly { id: string; at: Date; bodyHtml: string }[]): Promise<Updated>;
  /** One call; missing records count as archived. */
  archiveNotes(ids: readonly string[]): Promise<void>;
  /** Ids of the notes, or tasks, that contain these markers, by marker. Sees records as soon as they are written. */
  findRecords(type: 'notes' | 'tasks', lookups: readonly RecordLookup[]): Promise<Map<string, string>>;
  /** Like createNotes; a task is created without an owner that the CRM refuses. */
  createTasks(tasks: readonly NewTask[]): Promise<Created>;
  /** Like updateNotes. */
  updateTasks(changes: readonly TaskChange[]): Promise<Updated>;
  /** One call; missing records count as archived. */
  archiveTasks(ids: readonly string[]): Promise<void>;
  /** Existing tasks by id. */
  readTasks(ids: readonly string[]): Promise<Map<string, TaskState>>;
  /** Owners of these contacts by contact id; omits contacts without a readable owner. */
  readOwners(contactIds: readonly string[]): Promise<Map<string, string>>;
};

/** The properties that an account is known to require of new records, by kind; the caller stores them. */
export type RequirementBook = {
  /** `value` is what the person wants sent for it; '' for nothing. */
  list(type: CrmObject): Promise<readonly { name: string; label: string; value: string }[]>;
  /** The account did not take a record without these. */
  learn(type: CrmObject, properties: readonly RequiredProperty[]): Promise<void>;
  /** Forgets other required properties: the CRM accepted a new record with only these. */
  release(type: CrmObject, sent: readonly string[]): Promise<void>;
};

/** Connection data that the caller stores for the client. */
export type CrmAccess = {
  portalId: string;
  /** @param refused a token the CRM has just refused, so that another one is wanted */
  accessToken(refused?: string): Promise<string>;
  /** Resolves when the account's limit allows another call, over all processes. */
  takeTurn(kind: 'search' | 'call'): Promise<void>;
  /** Delays further calls of all processes, as the CRM asked for a pause. */
  pause(kind: 'search' | 'call', seconds: number): Promise<void>;
  /** Undefined: required properties are neither stored nor sent. */
  requirementBook?: RequirementBook;
};

/** A report for the operator, without user content or secrets. */
export type CrmReport = {
  code: 'CRM_RETRIED' | 'CRM_UNAVAILABLE' | 'CRM_REFUSED' | 'CRM_RATE_LIMIT' | 'CRM_UNREADABLE';
  message: string;
};

export type WebhookRequest = {
  method: string;
  /** The URL that the CRM called, with scheme and host. */
  url: string;
  /** Unparsed bytes, as the signature covers them. */
  rawBody: Uint8Array;
  /** Keyed by lower-case name. */
  headers: Record<string, string | string[] | undefined>;
};

/**
 * The CRM. Every method that uses the network has a deadline and throws {@link ClientError} (service `crm`) with one of these codes:
 * `CRM_AUTH` (auth: the person must sign in again), `CRM_RATE_LIMIT` (rateLimited), `CRM_UNAVAILABLE TIMEOUT`
 * (temporary; it is unknown whether a write took place), the words of {@link CrmRefusal}, `CRM_SCOPE_MISSING` and
 * `CONTACT_EXISTS` (permanent).
 */
export type CrmClient = {
  /** The operator's key, if set. Nobody signs in then, and a refused key can't be refreshed. */
  ownKey: string | undefined;
  /** The account that a key opens. Throws `CRM_AUTH` (auth) for an invalid key, `CRM_SCOPE_MISSING` (permanent). */
  readAccount(key: string): Promise<CrmAccount>;
  authorizationUrl(about: { redirectUri: string; state: string }): string;
  exchangeCode(about: { code: string; redirectUri: string }): Promise<CrmTokens & { account: CrmAccount }>;
  refreshTokens(refreshToken: string): Promise<CrmTokens>;
  /** Tokens that are no longer valid count as revoked. */
  revokeTokens(refreshToken: string): Promise<void>;
  open(access: CrmAccess): Crm;
  /** Throws SignatureRefused for what the CRM didn't sign in the last five minutes. Undefined for lack of a secret. */
  verifyRequest: ((request: WebhookRequest, now: Date) => void) | undefined;
  /** Settings page on which an administrator marks properties of a record type as required. */
  propertySettingsUrl(about: { portalId: string; type: CrmObject }): string;
  /** URL of the record or task in the CRM; '' for the account's own address. */
  contactUrl(about: { portalId: string; contactId: string }): string;
  taskUrl(about: { portalId: string; taskId: string }): string;
};

/** The CRM already has a record with this email address or this messenger user id. */
export class ContactExists extends ClientError {
  readonly existingContactId: string;

  constructor(existingContactId: string) {
    super({ service: 'crm', kind: 'permanent', code: 'CONTACT_EXISTS' });
    this.existingContactId = existingContactId;
  }
}

/** The account requires these properties, by their internal names, and none was sent. */
export class PropertyRequired extends ClientError {
  readonly properties: readonly string[];

  constructor(properties: readonly string[]) {
    super({ service: 'crm', kind: 'permanent', code: 'CRM_PROPERTY_REQUIRED' });
    this.properties = properties;
  }
}
