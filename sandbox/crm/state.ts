import { join } from 'node:path';
import { openStore } from '../store.ts';
import { builtInGroups, builtInProperties } from './builtInProperties.ts';
import {
  type AccountKey,
  type CrmRecord,
  type Entry,
  entrySchema,
  type Grant,
  keyOfEntry,
  OBJECT_TYPES,
  type ObjectType,
  type Property,
  type PropertyGroup,
  type Rules,
} from './records.ts';
import { createSearchIndex, type SearchIndex } from './search/searchIndex.ts';

/** One customer's account at the CRM, with everything in it. */
export type Portal = {
  id: string;
  /** Its domain. */
  name: string;
  records: Record<ObjectType, Map<string, CrmRecord>>;
  properties: Record<ObjectType, Map<string, Property>>;
  groups: Record<ObjectType, Map<string, PropertyGroup>>;
  rules: Rules;
  index: SearchIndex;
};

/** Everything the CRM knows. Every change is in its file before the client is told. */
export type CrmState = {
  portals: Map<string, Portal>;
  /** By refresh token. */
  grants: Map<string, Grant>;
  /** By token. */
  keys: Map<string, AccountKey>;
  /** The owners that records may be assigned to; undefined: any id. */
  owners: ReadonlySet<string> | undefined;
  now(): number;
  /** Ids are one sequence over all portals and kinds of records. */
  nextId(): string;
  addPortal(portal: { id: string; name: string }): Portal;
  /** @param when.visibleAt Unix milliseconds from which searches see it; without it after the usual delay */
  save(records: readonly CrmRecord[], when?: { visibleAt: number }): void;
  saveProperty(portal: Portal, type: ObjectType, property: Property): void;
  saveGroup(portal: Portal, type: ObjectType, group: PropertyGroup): void;
  saveRules(portal: Portal, rules: Rules): void;
  saveGrant(grant: Grant): void;
  saveKey(key: AccountKey): void;
};

const FIRST_ID = 10_001;

/**
 * Opens or makes the state in a folder.
 * @param searchDelayMs how long a change is hidden from searches
 */
export function openCrmState(options: {
  stateDir: string;
  searchDelayMs: number;
  now: () => number;
  owners?: readonly string[] | undefined;
}): CrmState {
  const { stateDir, searchDelayMs, now, owners } = options;
  const file = join(stateDir, 'crm.jsonl');
  const store = openStore({ file, schema: entrySchema, keyOf: keyOfEntry, fresh: 'a new CRM' });
  const portals = new Map<string, Portal>();
  const grants = new Map<string, Grant>();
  const keys = new Map<string, AccountKey>();
  let highestId = FIRST_ID - 1;

  /** @param visibleAt when searches see a record */
  function take(entry: Entry, visibleAt: number): void {
    if (entry.kind === 'portal') portals.set(entry.portalId, emptyPortal(entry.portalId, entry.name));
    else if (entry.kind === 'grant') grants.set(entry.grant.refreshToken, entry.grant);
    else if (entry.kind === 'key') keys.set(entry.key.token, entry.key);
    else if (entry.kind === 'record') takeRecord(entry.record, visibleAt);
    else if (entry.kind === 'rules') Object.assign(portals.get(entry.portalId) ?? {}, { rules: entry.rules });
    else if (entry.kind === 'property') {
      portals.get(entry.portalId)?.properties[entry.type].set(entry.property.name, entry.property);
    } else portals.get(entry.portalId)?.groups[entry.type].set(entry.group.name, entry.group);
  }

  function takeRecord(record: CrmRecord, visibleAt: number): void {
    const portal = portals.get(record.portalId);
    portal?.records[record.type].set(record.id, record);
    portal?.index.put(record, visibleAt);
    highestId = Math.max(highestId, Number(record.id));
  }

  function keep(entries: Entry[], visibleAt = now() + searchDelayMs): void {
    store.put(entries);
    for (const entry of entries) take(entry, visibleAt);
  }

  for (const entry of store.entries.values()) take(entry, 0);
  return {
    portals,
    grants,
    keys,
    owners: owners && new Set(owners),
    now,
    nextId() {
      highestId += 1;
      return String(highestId);
    },
    addPortal({ id, name }) {
      keep([{ kind: 'portal', portalId: id, name }]);
      return portals.get(id) ?? emptyPortal(id, name);
    },
    save(records, when) {
      const entries = records.map(record => ({ kind: 'record' as const, record }));
      keep(entries, when?.visibleAt);
    },
    saveProperty: (portal, type, property) => keep([{ kind: 'property', portalId: portal.id, type, property }]),
    saveGroup: (portal, type, group) => keep([{ kind: 'group', portalId: portal.id, type, group }]),
    saveRules: (portal, rules) => keep([{ kind: 'rules', portalId: portal.id, rules }]),
    saveGrant: grant => keep([{ kind: 'grant', grant }]),
    saveKey: key => keep([{ kind: 'key', key }]),
  };
}

function emptyPortal(id: string, name: string): Portal {
  return {
    id,
    name,
    records: forEachType(() => new Map()),
    properties: forEachType(type => new Map(builtInProperties(type).map(property => [property.name, property]))),
    groups: forEachType(type => new Map(builtInGroups(type).map(group => [group.name, group]))),
    rules: { required: [], refusesAssociations: false },
    index: createSearchIndex(),
  };
}

function forEachType<T>(make: (type: ObjectType) => T): Record<ObjectType, T> {
  const [contacts, notes, tasks] = OBJECT_TYPES;
  return { contacts: make(contacts), notes: make(notes), tasks: make(tasks) };
}

/** Finds the record unless it is archived, or the record that an old id was merged into. */
export function findRecord(portal: Portal, type: ObjectType, id: string): CrmRecord | undefined {
  const record = portal.records[type].get(id);
  if (record?.mergedInto) return findRecord(portal, type, record.mergedInto);
  return record && record.archivedAt === null ? record : undefined;
}

export function livingRecords(portal: Portal, type: ObjectType): CrmRecord[] {
  return [...portal.records[type].values()].filter(record => record.archivedAt === null);
}
