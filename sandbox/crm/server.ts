import { createFaultPlan } from '../faultPlan.ts';
import { listen } from '../listen.ts';
import {
  addKey,
  type NewRequirement,
  refuseAssociations,
  releaseProperty,
  requireProperty,
  revokeKey,
} from './administration.ts';
import { createCrmApp } from './app.ts';
import { changedContact, mergedContacts, newContact } from './contacts.ts';
import { changedEngagement, type EngagementType, engagementsOf } from './engagements.ts';
import type { CrmFault, CrmFaults } from './faults.ts';
import { createGate, type SeenCall } from './gate.ts';
import { createTokens } from './oauth/tokens.ts';
import { type CrmLimits, VENDOR_LIMITS } from './rateLimits.ts';
import type { CrmRecord, Requirement } from './records.ts';
import { type SeedContact, seedContacts } from './seed.ts';
import { type CrmState, findRecord, livingRecords, openCrmState, type Portal } from './state.ts';

export type CrmSandboxOptions = {
  /** 0: any. */
  port: number;
  /** Made when missing. Holds what survives the process. */
  stateDir: string;
  clientId: string;
  clientSecret: string;
  /** The contacts of a new state; ignored when there is a state already. */
  contacts?: readonly SeedContact[];
  portal?: { id: string; name: string };
  /** How long a change is hidden from searches. */
  searchDelayMs?: number;
  limits?: Partial<CrmLimits>;
  /** Who may be assigned something; by default everyone. */
  owners?: readonly string[];
  /** Service keys of a new state. */
  keys?: readonly string[];
};

type SandboxContact = { id: string; properties: Record<string, string> };
type SandboxNote = {
  id: string;
  contactIds: string[];
  at: Date;
  body: string;
  properties: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
};

type SandboxTask = {
  id: string;
  contactIds: string[];
  dueAt: Date;
  subject: string;
  body: string;
  isCompleted: boolean;
  properties: Record<string, string>;
};

/** Without a portal's id a method takes the first portal. */
export type CrmSandbox = {
  /** The address of its API and of its pages. */
  url: string;
  /** Calls by kind since the last reset, such as `contacts.search`, `notes.batchCreate`, `oauth.refresh`. */
  calls(): Record<string, number>;
  /** The newest calls since the last reset, refused and unanswered ones included. */
  requests(): readonly SeenCall[];
  resetCalls(): void;
  faults: CrmFaults;
  portals(): { id: string; name: string }[];
  addPortal(portal: { id: string; name: string; contacts?: readonly SeedContact[] }): void;
  /** Contacts that are not archived. */
  contacts(portalId?: string): SandboxContact[];
  /** The notes on one contact, or all that are not archived, oldest first. */
  notes(contactId?: string, portalId?: string): SandboxNote[];
  /** The tasks on one contact, or all that are not archived, oldest first. */
  tasks(contactId?: string, portalId?: string): SandboxTask[];
  /** What a person can do there. Each throws the error that the API would have answered. */
  createContact(properties: Record<string, string>, portalId?: string): string;
  updateContact(id: string, properties: Record<string, string>, portalId?: string): void;
  archiveContact(id: string, portalId?: string): void;
  restoreContacts(portalId?: string): void;
  updateNote(id: string, properties: Record<string, string>, portalId?: string): void;
  archiveNote(id: string, portalId?: string): void;
  updateTask(id: string, properties: Record<string, string>, portalId?: string): void;
  archiveTask(id: string, portalId?: string): void;
  /** Returns the id of the merged record. */
  mergeContacts(primaryId: string, otherId: string, portalId?: string): string;
  /** What an administrator of the account can do there. */
  requireProperty(requirement: NewRequirement, portalId?: string): void;
  releaseProperty(about: Pick<Requirement, 'type' | 'name'>, portalId?: string): void;
  refuseAssociations(refused: boolean, portalId?: string): void;
  /** Makes a service key of the account, with these scopes or all that Forenoon needs. */
  addKey(token: string, scopes?: readonly string[], portalId?: string): void;
  revokeKey(token: string): void;
  stop(): Promise<void>;
};

const SEARCH_DELAY_MS = 2000;
const PORTAL = { id: '8412077', name: 'nordkelvin.example' };

/**
 * A CRM of our own on loopback, with HubSpot's paths and semantics. Rejects when the port is taken; throws StartError
 * when the state is not ours.
 */
export async function startCrmSandbox(options: CrmSandboxOptions): Promise<CrmSandbox> {
  const { stateDir, searchDelayMs = SEARCH_DELAY_MS, clientId, clientSecret } = options;
  const state = openCrmState({ stateDir, searchDelayMs, now: Date.now, owners: options.owners });
  if (state.portals.size === 0) {
    const portal = state.addPortal(options.portal ?? PORTAL);
    seedContacts(state, portal, options.contacts ?? []);
    for (const key of options.keys ?? []) addKey(state, portal, key);
  }
  const tokens = createTokens(state, { clientId, clientSecret });
  const faults = createFaultPlan<CrmFault>();
  const gate = createGate({ state, tokens, faults, limits: { ...VENDOR_LIMITS, ...options.limits } });
  return {
    ...(await listen(createCrmApp(gate, clientId), options.port)),
    calls: () => Object.fromEntries(gate.counts),
    requests: () => gate.seen,
    resetCalls() {
      gate.counts.clear();
      gate.seen.length = 0;
    },
    faults: { ...faults, expireAccessTokens: tokens.expireAccessTokens, revokeGrants: tokens.revokeGrants },
    ...recordsOf(state),
  };
}

type Records = Omit<CrmSandbox, 'url' | 'calls' | 'requests' | 'resetCalls' | 'faults' | 'stop'>;

function recordsOf(state: CrmState): Records {
  const portalOf = (id: string | undefined) => portalIn(state, id);
  const save = (...records: CrmRecord[]) => state.save(records);
  const updateEngagement = (
    type: EngagementType,
    id: string,
    properties: Record<string, string>,
    portalId: string | undefined,
  ) => {
    const portal = portalOf(portalId);
    save(changedEngagement({ state, portal }, type, recordIn(portal, type, id), properties));
  };
  return {
    portals: () => [...state.portals.values()].map(({ id, name }) => ({ id, name })),
    addPortal: ({ contacts = [], ...portal }) => seedContacts(state, state.addPortal(portal), contacts),
    contacts: portalId =>
      livingRecords(portalOf(portalId), 'contacts').map(({ id, properties }) => ({ id, properties: { ...properties } })),
    notes: (contactId, portalId) => engagementsIn(portalOf(portalId), 'notes', contactId).map(toNote),
    tasks: (contactId, portalId) => engagementsIn(portalOf(portalId), 'tasks', contactId).map(toTask),
    createContact(properties, portalId) {
      const contact = newContact({ state, portal: portalOf(portalId) }, properties);
      save(contact);
      return contact.id;
    },
    updateContact(id, properties, portalId) {
      const portal = portalOf(portalId);
      save(changedContact({ state, portal }, recordIn(portal, 'contacts', id), properties));
    },
    archiveContact: (id, portalId) => save({ ...recordIn(portalOf(portalId), 'contacts', id), archivedAt: state.now() }),
    restoreContacts(portalId) {
      for (const contact of portalOf(portalId).records.contacts.values()) save({ ...contact, archivedAt: null });
    },
    archiveNote: (id, portalId) => save({ ...recordIn(portalOf(portalId), 'notes', id), archivedAt: state.now() }),
    updateNote: (id, properties, portalId) => updateEngagement('notes', id, properties, portalId),
    updateTask: (id, properties, portalId) => updateEngagement('tasks', id, properties, portalId),
    archiveTask: (id, portalId) => save({ ...recordIn(portalOf(portalId), 'tasks', id), archivedAt: state.now() }),
    mergeContacts(primaryId, otherId, portalId) {
      const records = mergedContacts({ state, portal: portalOf(portalId) }, primaryId, otherId);
      save(...records);
      return records[0]?.id ?? '';
    },
    requireProperty: (requirement, portalId) => requireProperty(state, portalOf(portalId), requirement),
    releaseProperty: (about, portalId) => releaseProperty(state, portalOf(portalId), about),
    refuseAssociations: (refused, portalId) => refuseAssociations(state, portalOf(portalId), refused),
    addKey: (token, scopes, portalId) => addKey(state, portalOf(portalId), token, scopes),
    revokeKey: token => revokeKey(state, token),
  };
}

function portalIn(state: CrmState, id: string | undefined): Portal {
  const portal = id === undefined ? state.portals.values().next().value : state.portals.get(id);
  if (!portal) throw new Error(`No such account: ${id}`);
  return portal;
}

function recordIn(portal: Portal, type: CrmRecord['type'], id: string): CrmRecord {
  const record = findRecord(portal, type, id);
  if (!record) throw new Error(`No such record in ${type}: ${id}`);
  return record;
}

function engagementsIn(portal: Portal, type: EngagementType, contactId: string | undefined): CrmRecord[] {
  if (contactId === undefined) return livingRecords(portal, type);
  const contact = findRecord(portal, 'contacts', contactId);
  return contact ? engagementsOf(portal, type, contact.id) : [];
}

function toNote({ id, contactIds, properties, createdAt, updatedAt }: CrmRecord): SandboxNote {
  return {
    id,
    contactIds: [...contactIds],
    at: new Date(properties.hs_timestamp ?? 0),
    body: properties.hs_note_body ?? '',
    properties: { ...properties },
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

function toTask({ id, contactIds, properties }: CrmRecord): SandboxTask {
  return {
    id,
    contactIds: [...contactIds],
    dueAt: new Date(properties.hs_timestamp ?? 0),
    subject: properties.hs_task_subject ?? '',
    body: properties.hs_task_body ?? '',
    isCompleted: properties.hs_task_status === 'COMPLETED',
    properties: { ...properties },
  };
}
