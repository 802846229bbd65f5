import type { CrmRecord, ObjectType } from '../records.ts';
import type { Portal } from '../state.ts';
import { groupsMatcher, type Matcher, orderOf } from './filters.ts';
import type { Indexed } from './searchIndex.ts';
import type { SearchRequest, Sort } from './searchRequest.ts';
import { tokenMatcher } from './tokens.ts';

/** The properties that `query` is searched in. */
const QUERIED: Record<ObjectType, readonly string[]> = {
  contacts: ['firstname', 'lastname', 'email', 'hs_additional_emails', 'phone', 'mobilephone', 'company'],
  notes: ['hs_note_body'],
  tasks: ['hs_task_body', 'hs_task_subject'],
};

export type Found = { total: number; records: CrmRecord[]; after: string | undefined };

/** @param now Unix milliseconds: recent changes are not visible yet */
export function searchRecords(portal: Portal, type: ObjectType, request: SearchRequest, now: number): Found {
  const inGroups = groupsMatcher(request.groups, portal.properties[type]);
  const inWords = queryMatcher(request.query ?? '', QUERIED[type]);
  const found = [...portal.index.all(type, now)].filter(indexed => inGroups(indexed) && inWords(indexed));
  found.sort(byProperty(portal, type, request.sorts[0]));
  const end = request.after + request.limit;
  return {
    total: found.length,
    records: found.slice(request.after, end).map(({ record }) => record),
    after: end < found.length ? String(end) : undefined,
  };
}

function queryMatcher(query: string, properties: readonly string[]): Matcher {
  const words = query.split(/\s+/).filter(word => word !== '');
  const matchers = words.map(word => tokenMatcher(`${word}*`));
  return indexed => {
    const tokens = matchers.length > 0 ? properties.flatMap(property => indexed.tokens(property)) : [];
    return matchers.every(matches => matches(tokens));
  };
}

/** Sorts the oldest first by default. */
function byProperty(portal: Portal, type: ObjectType, sort: Sort | undefined): (a: Indexed, b: Indexed) => number {
  if (!sort) return (a, b) => Number(a.record.id) - Number(b.record.id);
  const { propertyName, isDescending } = sort;
  const order = orderOf(portal.properties[type].get(propertyName));
  return (a, b) => {
    const [left, right] = [a.value(propertyName), b.value(propertyName)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    const [first, second] = isDescending ? [right, left] : [left, right];
    return order(first) < order(second) ? -1 : order(first) > order(second) ? 1 : 0;
  };
}
