import { z } from 'zod';
import { findContactBy, mergedContacts } from '../contacts.ts';
import type { CrmRecord, ObjectType } from '../records.ts';
import { notFound } from '../refusals.ts';
import { searchRecords } from '../search/search.ts';
import { readSearchRequest } from '../search/searchRequest.ts';
import { findRecord, livingRecords } from '../state.ts';
import { batchRoutes } from './batchRoutes.ts';
import { creation, id, propertyValues, read } from './input.ts';
import { recordReply, writtenReply } from './replies.ts';
import { type Answer, type Call, READS_CONTACTS, type Route, WRITES_CONTACTS } from './route.ts';
import { changedRecord, newRecord } from './writing.ts';

const reads = { scopes: READS_CONTACTS };
const writes = { scopes: WRITES_CONTACTS };
const MAX_LISTED = 100;

/** Everything under `/contacts`, `/notes` or `/tasks`. */
export function objectRoutes(type: ObjectType): Route[] {
  const kind = (name: string) => `${type}.${name}`;
  return [
    ...batchRoutes(type),
    ...(type === 'contacts' ? [mergeRoute] : []),
    { method: 'post', path: '/search', kind: kind('search'), ...reads, handle: call => search(call, type) },
    { method: 'get', path: '/', kind: kind('list'), ...reads, handle: call => list(call, type) },
    { method: 'post', path: '/', kind: kind('create'), ...writes, handle: call => create(call, type) },
    { method: 'get', path: '/:id', kind: kind('read'), ...reads, handle: call => readOne(call, type) },
    { method: 'patch', path: '/:id', kind: kind('update'), ...writes, handle: call => update(call, type) },
    { method: 'delete', path: '/:id', kind: kind('archive'), ...writes, handle: call => archive(call, type) },
  ];
}

const mergeRoute: Route = {
  method: 'post',
  path: '/merge',
  kind: 'contacts.merge',
  ...writes,
  handle({ state, portal, body }) {
    const { primaryObjectId, objectIdToMerge } = read(z.object({ primaryObjectId: id, objectIdToMerge: id }), body);
    const records = mergedContacts({ state, portal }, primaryObjectId, objectIdToMerge);
    state.save(records);
    return { status: 200, body: records.slice(0, 1).map(writtenReply)[0] };
  },
};

function search({ state, portal, body, characters }: Call, type: ObjectType): Answer {
  const request = readSearchRequest(body, characters);
  const { total, records, after } = searchRecords(portal, type, request, state.now());
  const results = records.map(record => recordReply(record, request.properties));
  return { status: 200, body: { total, results, ...(after && { paging: { next: { after } } }) } };
}

function list({ portal, query }: Call, type: ObjectType): Answer {
  const limit = Math.min(Number(query.get('limit')) || 10, MAX_LISTED);
  const first = Number(query.get('after')) || 0;
  const records = livingRecords(portal, type);
  const results = records.slice(first, first + limit).map(record => recordReply(record, wantedIn(query)));
  const next = first + limit < records.length && { paging: { next: { after: String(first + limit) } } };
  return { status: 200, body: { results, ...next } };
}

function create(call: Call, type: ObjectType): Answer {
  const record = newRecord(call, type, read(creation, call.body));
  call.state.save([record]);
  return { status: 201, body: writtenReply(record) };
}

function readOne({ portal, params, query }: Call, type: ObjectType): Answer {
  const record = wantedRecord(portal, type, params.id ?? '', query.get('idProperty'));
  return { status: 200, body: recordReply(record, wantedIn(query)) };
}

function update(call: Call, type: ObjectType): Answer {
  const { state, portal, params, query, body } = call;
  const record = wantedRecord(portal, type, params.id ?? '', query.get('idProperty'));
  const changed = changedRecord(call, record, read(z.object({ properties: propertyValues }), body).properties);
  state.save([changed]);
  return { status: 200, body: writtenReply(changed) };
}

/** A record that no longer exists counts as archived. */
function archive({ state, portal, params }: Call, type: ObjectType): Answer {
  const record = findRecord(portal, type, params.id ?? '');
  if (record) state.save([{ ...record, archivedAt: state.now() }]);
  return { status: 204 };
}

function wantedRecord(portal: Call['portal'], type: ObjectType, key: string, idProperty: string | null): CrmRecord {
  const byProperty = type === 'contacts' && idProperty;
  const record = byProperty ? findContactBy(portal, idProperty, key) : findRecord(portal, type, key);
  if (!record) throw notFound();
  return record;
}

/** Values are separated by commas, or come as one parameter each. */
function wantedIn(query: URLSearchParams): string[] {
  return query.getAll('properties').flatMap(names => names.split(',').filter(name => name !== ''));
}
