import type { Filter, FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/contacts/models/Filter.js';
import type { PublicObjectSearchRequest } from '@hubspot/api-client/lib/codegen/crm/contacts/models/PublicObjectSearchRequest.js';
import { type ContactSearch, SEARCH_LIMITS, type SearchField, type SearchFilter } from '../types.ts';
import { CONTACT_PROPERTIES } from './replies.ts';

const PROPERTY: Record<SearchField, string> = {
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

/** Throws a plain Error for a search over the vendor's limits: whoever built it made a mistake. */
export function searchBody({ groups }: ContactSearch): PublicObjectSearchRequest {
  const body = {
    filterGroups: groups.map(filters => ({ filters: filters.map(toFilter) })),
    properties: CONTACT_PROPERTIES,
    limit: SEARCH_LIMITS.page,
  };
  const filters = groups.map(group => group.length);
  const isOver =
    groups.length > SEARCH_LIMITS.groups ||
    Math.max(...filters) > SEARCH_LIMITS.filtersInGroup ||
    filters.reduce((sum, count) => sum + count, 0) > SEARCH_LIMITS.filters ||
    JSON.stringify(body).length >= SEARCH_LIMITS.bodyCharacters;
  if (groups.length === 0 || filters.includes(0)) throw new Error('a search of the CRM asks for nothing');
  if (isOver) throw new Error('a search of the CRM is over the limits');
  return body;
}

function toFilter(filter: SearchFilter): Filter {
  const propertyName = PROPERTY[filter.field];
  if ('token' in filter) return { propertyName, ...operator('CONTAINS_TOKEN'), value: filter.token };
  const [only, ...others] = filter.any;
  if (only === undefined) throw new Error('a search of the CRM asks for nothing');
  return others.length === 0
    ? { propertyName, ...operator('EQ'), value: only }
    : { propertyName, ...operator('IN'), values: [...filter.any] };
}

function operator(word: 'EQ' | 'IN' | 'CONTAINS_TOKEN'): { operator: FilterOperatorEnum } {
  return { operator: word as FilterOperatorEnum };
}
