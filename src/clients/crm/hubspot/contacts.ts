import type { Filter, FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/contacts/models/Filter.js';
import type { PublicObjectSearchRequest } from '@hubspot/api-client/lib/codegen/crm/contacts/models/PublicObjectSearchRequest.js';
import {
  type ContactDetails,
  ContactExists,
  type ContactSearch,
  type Crm,
  type CrmContact,
  SEARCH_LIMITS,
  type SearchField,
  type SearchFilter,
} from '../types.ts';
import { sendOrHalve, splitBatches } from './batches.ts';
import type { Call } from './calls.ts';
import { HttpFailure, isRecordGone, toClientError } from './failures.ts';
import * as replies from './replies.ts';
import { type Requirements, toRefusalError } from './requirements.ts';

type Contacts = Pick<Crm, 'searchContacts' | 'readContacts' | 'findByMessengerUserId' | 'createContact' | 'updateContacts'>;

export function createContactCalls(call: Call, requirements: Requirements): Contacts {
  const contacts: Contacts = {
    async searchContacts(search) {
      const body = buildSearchBody(search);
      const description = { name: 'search contacts', kind: 'search', repeat: true, reply: replies.searchReply } as const;
      const { results, paging } = await call(description, sdk => sdk.crm.contacts.searchApi.doSearch(body));
      return { contacts: results, more: Boolean(paging?.next) };
    },

    async readContacts(ids) {
      const found = new Map<string, CrmContact>();
      for (const batch of splitBatches([...new Set(ids)])) await readBatch(call, batch, found);
      return found;
    },

    async findByMessengerUserId(messengerUserId) {
      try {
        const description = { name: 'find contact', kind: 'call', repeat: true, reply: replies.contactReply } as const;
        return await call(description, sdk =>
          sdk.crm.contacts.basicApi.getById(
            messengerUserId,
            replies.CONTACT_PROPERTIES,
            undefined,
            undefined,
            false,
            'messenger_user_id',
          ),
        );
      } catch (err) {
        if (err instanceof HttpFailure && isRecordGone(err)) return undefined;
        throw err;
      }
    },

    async createContact(details) {
      const properties = { ...(await requirements.loadValues('contacts')), ...contactProperties(details) };
      try {
        const description = { name: 'create contact', kind: 'call', repeat: false, reply: replies.contactReply } as const;
        const contact = await call(description, sdk => sdk.crm.contacts.basicApi.create({ properties }));
        await requirements.learn('contacts', { accepted: properties });
        return contact;
      } catch (err) {
        const existing = await findConflictingContact(contacts, details, err);
        if (existing !== undefined) throw new ContactExists(existing);
        if (!(err instanceof HttpFailure)) throw err;
        await requirements.learn('contacts', { refused: [err] });
        throw toRefusalError(requirements, 'contacts', err);
      }
    },

    async updateContacts(updates) {
      const outcome = { gone: [] as string[], refused: [] as string[] };
      for (const batch of splitBatches(updates)) {
        await sendOrHalve(
          batch,
          items => updateBatch(call, items, outcome),
          async (update, failure) => {
            const remainingFailure = await requirements.complete('contacts', failure, required =>
              updateBatch(call, [{ ...update, required }], outcome),
            );
            if (remainingFailure) outcome[isRecordGone(remainingFailure) ? 'gone' : 'refused'].push(update.id);
          },
        );
      }
      return outcome;
    },
  };
  return contacts;
}

/** Adds the contacts to `found`. The CRM answers for the old id of a merged record, but under the record's new id. */
async function readBatch(call: Call, ids: string[], found: Map<string, CrmContact>): Promise<void> {
  const body = { inputs: ids.map(id => ({ id })), properties: replies.CONTACT_PROPERTIES, propertiesWithHistory: [] };
  const description = { name: 'read contacts', kind: 'call', repeat: true, reply: replies.contactsReply } as const;
  const { results } = await call(description, sdk => sdk.crm.contacts.batchApi.read(body));
  const requestedIds = new Set(ids);
  for (const contact of results) {
    for (const id of [contact.id, ...contact.mergedIds]) if (requestedIds.has(id)) found.set(id, contact);
  }
}

/** The refusal of a taken email address names the record; that of a taken unique value varies, so it is looked up. */
async function findConflictingContact(
  contacts: Contacts,
  details: ContactDetails,
  err: unknown,
): Promise<string | undefined> {
  if (!(err instanceof HttpFailure) || ![400, 409].includes(err.status)) return undefined;
  if (err.existingId) return err.existingId;
  if (!details.messengerUserId) return undefined;
  try {
    return (await contacts.findByMessengerUserId(details.messengerUserId))?.id;
  } catch (lookupFailed) {
    throw toClientError(lookupFailed);
  }
}

type Update = { id: string; details: ContactDetails; required?: Record<string, string> };
type BatchOutcome = { gone: string[]; refused: string[] };

async function updateBatch(call: Call, updates: readonly Update[], outcome: BatchOutcome): Promise<void> {
  const inputs = updates.map(({ id, details, required }) => ({
    id,
    properties: { ...required, ...contactProperties(details) },
  }));
  const description = { name: 'update contacts', kind: 'call', repeat: true, reply: replies.writtenReply } as const;
  const reply = await call(description, sdk => sdk.crm.contacts.batchApi.update({ inputs }));
  for (const error of reply.errors) {
    outcome[isRecordGone(error) ? 'gone' : 'refused'].push(...findRefusedUpdates(error, updates, reply));
  }
}

/** Ids of the updates that an error is about: those that it names, or else those that neither came back nor are named. */
export function findRefusedUpdates(
  error: replies.BatchError,
  sent: readonly { id: string }[],
  { errors, results }: replies.WrittenReply,
): string[] {
  const ids = new Set(sent.map(({ id }) => id));
  const named = findRefusedIds(error, ids);
  const known = [...results.map(({ id }) => id), ...errors.flatMap(other => findRefusedIds(other, ids))];
  return named.length > 0 ? named : [...ids.difference(new Set(known))];
}

/** Ids of the requested records that an error names; the key of the context that holds them varies. */
export function findRefusedIds({ context }: replies.BatchError, requestedIds: ReadonlySet<string>): string[] {
  return [...new Set(Object.values(context).flat())].filter(id => requestedIds.has(id));
}

function contactProperties(details: ContactDetails): Record<string, string> {
  const properties = {
    firstname: details.firstName,
    lastname: details.lastName,
    email: details.email,
    company: details.company,
    phone: details.phone,
    messenger_username: details.messengerUsername,
    messenger_user_id: details.messengerUserId,
    messenger_last_sync: details.messengerLastSync?.toISOString(),
    messenger_digest_count: details.messengerDigestCount?.toString(),
  };
  const entries = Object.entries(properties).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

const PROPERTY_NAMES: Record<SearchField, string> = {
  firstName: 'firstname',
  lastName: 'lastname',
  email: 'email',
  company: 'company',
  phone: 'phone',
  mobilePhone: 'mobilephone',
  searchablePhone: 'hs_searchable_calculated_phone_number',
  searchableMobilePhone: 'hs_searchable_calculated_mobile_number',
  messengerUsername: 'messenger_username',
  messengerUserId: 'messenger_user_id',
};

/** Throws a plain Error for an empty search or one over the vendor's limits, which is a bug in the caller. */
export function buildSearchBody({ groups }: ContactSearch): PublicObjectSearchRequest {
  const body = {
    filterGroups: groups.map(filters => ({ filters: filters.map(toFilter) })),
    properties: replies.CONTACT_PROPERTIES,
    limit: SEARCH_LIMITS.page,
  };
  const filterCounts = groups.map(group => group.length);
  const isOver =
    groups.length > SEARCH_LIMITS.groups ||
    Math.max(...filterCounts) > SEARCH_LIMITS.filtersInGroup ||
    filterCounts.reduce((sum, count) => sum + count, 0) > SEARCH_LIMITS.filters ||
    JSON.stringify(body).length >= SEARCH_LIMITS.bodyCharacters;
  if (groups.length === 0 || filterCounts.includes(0)) throw new Error('a search of the CRM asks for nothing');
  if (isOver) throw new Error('a search of the CRM is over the limits');
  return body;
}

function toFilter(filter: SearchFilter): Filter {
  const propertyName = PROPERTY_NAMES[filter.field];
  if ('token' in filter) return { propertyName, ...toFilterOperator('CONTAINS_TOKEN'), value: filter.token };
  const [only, ...others] = filter.any;
  if (only === undefined) throw new Error('a search of the CRM asks for nothing');
  return others.length === 0
    ? { propertyName, ...toFilterOperator('EQ'), value: only }
    : { propertyName, ...toFilterOperator('IN'), values: [...filter.any] };
}

function toFilterOperator(word: 'EQ' | 'IN' | 'CONTAINS_TOKEN'): { operator: FilterOperatorEnum } {
  return { operator: word as FilterOperatorEnum };
}
