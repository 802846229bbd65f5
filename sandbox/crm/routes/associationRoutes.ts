import { z } from 'zod';
import { ASSOCIATION_TYPES, type EngagementType, engagementsOf } from '../engagements.ts';
import type { CrmRecord } from '../records.ts';
import { invalid, notFound } from '../refusals.ts';
import { findRecord } from '../state.ts';
import { id, readInputs } from './input.ts';
import { type BatchProblem, batchAnswer } from './replies.ts';
import { type Answer, type Call, READS_CONTACTS, type Route } from './route.ts';

const MAX_IN_BATCH = 1000;
const MAX_ON_PAGE = 500;

/** Version 4 and the dated versions describe the type of each association; version 3 has one word for it. */
export function associationListRoute(version: 'v3' | 'newer'): Route {
  return {
    method: 'get',
    path: '/contacts/:id/associations/:toType',
    kind: 'associations.list',
    scopes: READS_CONTACTS,
    handle({ portal, params, query }) {
      const type = engagementTypeIn(params);
      const contact = findRecord(portal, 'contacts', params.id ?? '');
      if (!contact) throw notFound();
      const limit = Math.min(Number(query.get('limit')) || MAX_ON_PAGE, MAX_ON_PAGE);
      const { page, paging } = pageOf(engagementsOf(portal, type, contact.id), query.get('after') ?? '', limit);
      const results = version === 'v3' ? page.map(each => oldReply(each, type)) : page.map(each => newReply(each, type));
      return { status: 200, body: { results, ...paging } };
    },
  };
}

export const associationBatchRoute: Route = {
  method: 'post',
  path: '/contacts/:toType/batch/read',
  kind: 'associations.batchRead',
  scopes: READS_CONTACTS,
  handle: readMany,
};

/** A contact without associations is listed among the errors, not the results. */
function readMany({ portal, params, body }: Call): Answer {
  const type = engagementTypeIn(params);
  const inputs = readInputs(z.object({ id, after: z.string().nullish() }), body, MAX_IN_BATCH);
  const results: unknown[] = [];
  const problems: BatchProblem[] = [];
  for (const input of inputs) {
    const contact = findRecord(portal, 'contacts', input.id);
    const { page, paging } = pageOf(contact ? engagementsOf(portal, type, contact.id) : [], input.after ?? '', MAX_ON_PAGE);
    if (page.length === 0) problems.push(noneProblem(type, input.id));
    else results.push({ from: { id: input.id }, to: page.map(each => newReply(each, type)), ...paging });
  }
  return batchAnswer(200, results, problems);
}

function noneProblem(type: EngagementType, contactId: string): BatchProblem & { subCategory: string } {
  return {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
    message: `No ${type === 'notes' ? 'note' : 'task'} is associated with contact ${contactId}.`,
    context: { fromObjectId: [contactId] },
  };
}

/** @param after the id of the last record of the page before */
function pageOf(records: CrmRecord[], after: string, limit: number) {
  const open = records.filter(record => Number(record.id) > Number(after || 0));
  const page = open.slice(0, limit);
  const last = page.at(-1)?.id;
  return { page, paging: open.length > limit && last ? { paging: { next: { after: last } } } : {} };
}

function newReply(record: CrmRecord, type: EngagementType) {
  const typeId = ASSOCIATION_TYPES[type].fromContact;
  return { toObjectId: Number(record.id), associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId, label: null }] };
}

function oldReply(record: CrmRecord, type: EngagementType) {
  return { id: record.id, type: type === 'notes' ? 'contact_to_note' : 'contact_to_task' };
}

function engagementTypeIn(params: Record<string, string>): EngagementType {
  const { toType } = params;
  if (toType !== 'notes' && toType !== 'tasks') throw invalid(`Unable to infer object type from: ${toType}`);
  return toType;
}
