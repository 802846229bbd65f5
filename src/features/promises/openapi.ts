import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, READING, refusals, sessionOrToken, WRITING } from '../../http/openapi/answers.ts';
import * as schema from './schema.ts';

const id = '3f0d1c52-7a34-4b0e-8a51-1d0f6f1b7c20';
const dialogId = '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22';
const promise = {
  id,
  dialogId,
  itemId: 'a1f4c09be2d7',
  direction: 'mine',
  who: null,
  words: 'Send the signed offer',
  dueDate: '2026-11-27',
  dueTime: null,
  dueText: 'by Friday',
  kind: 'promise',
  movedFrom: null,
  state: 'open',
  snoozedUntil: null,
  firstDigestId: '9d2c6f51-5f0c-4a35-9d06-6b1f0c2f7a10',
  lastDigestId: '9d2c6f51-5f0c-4a35-9d06-6b1f0c2f7a10',
  firstSaidOn: '2026-11-21',
  lastSaidOn: '2026-11-21',
  sourceMessageIds: ['4711'],
  isAdded: false,
  edited: [],
  changedBy: null,
  changedAt: '2026-11-21T17:02:11.000Z',
  reason: null,
  replacedBy: null,
  evidence: null,
  isDoubtful: false,
  canUndo: false,
  dialog: { peerName: 'Marta Silva', peerUsername: 'martasilva' },
};
const done = { ...promise, reason: 'kept', state: 'done', changedBy: 'person', canUndo: true };

const typed = { words: 'Call Katrin', dueDate: '2026-11-24', dueTime: '09:00' };
const added = {
  ...promise,
  itemId: 'added-6c1a7f0e-0d0b-4e8e-9a58-2b5d0c9d1f11',
  ...typed,
  dueText: null,
  firstDigestId: null,
  lastDigestId: null,
  firstSaidOn: '2026-11-23',
  lastSaidOn: '2026-11-23',
  sourceMessageIds: [],
  isAdded: true,
  edited: ['words', 'due', 'side', 'kind'],
  changedBy: 'person',
  changedAt: '2026-11-23T17:02:11.000Z',
  canUndo: true,
  dialog: { peerName: 'Katrin Vogel', peerUsername: 'katrinv' },
};

export const promisesPaths: ZodOpenApiPathsObject = {
  '/api/promises': {
    get: {
      operationId: 'listPromises',
      security: sessionOrToken('read'),
      summary: 'Promises in one state, page by page',
      description: 'By due day, those without one last. Snoozed until today or an earlier day is open.',
      requestParams: { query: schema.listInput },
      responses: {
        200: json(schema.promisesJson, { promises: [promise], nextCursor: null }),
        ...refusals({ ...READING, 400: 'A filter is not as described.' }),
      },
    },
    post: {
      operationId: 'addPromise',
      summary: 'Add a promise of one’s own',
      description: 'Messages close it like any other. No digest changes what it says.',
      requestBody: jsonBody(schema.addInput, { dialogId, ...typed }),
      responses: {
        200: json(schema.changedJson, { success: true, promise: added }),
        ...refusals({ ...WRITING, 404: 'No such conversation, or someone else’s.' }),
      },
    },
  },
  '/api/promises/{id}': {
    patch: {
      operationId: 'changePromise',
      security: sessionOrToken('promises'),
      summary: 'Decide about a promise',
      description:
        'Open and snoozed ones can be done, cancelled, dismissed, snoozed and moved, all others reopened. Decided so ' +
        'already, it stays as it is. What a person decided no rule changes any more.',
      requestParams: { path: z.object({ id: z.string() }) },
      requestBody: jsonBody(schema.changeInput, { action: 'done' }),
      responses: {
        200: json(schema.changedJson, { success: true, promise: done }),
        ...refusals({
          ...WRITING,
          404: 'No such promise, or someone else’s.',
          409: 'Its state does not allow this (`PROMISE_STATE`), or nothing is left to undo (`NOTHING_TO_UNDO`).',
        }),
      },
    },
  },
  '/api/promises/bulk': {
    post: {
      operationId: 'changePromises',
      security: sessionOrToken('promises'),
      summary: 'Decide about many promises at once',
      description: 'At most 500. What can’t be changed is among `refused`, with the reason; the others are changed.',
      requestBody: jsonBody(schema.bulkInput, { ids: [id], change: { action: 'done' } }),
      responses: { 200: json(schema.bulkJson, { success: true, promises: [done], refused: [] }), ...refusals(WRITING) },
    },
  },
  '/api/promises/read': {
    get: {
      operationId: 'readPromise',
      summary: 'Read a line as it is typed',
      description:
        'What is to be done, and the day and hour named in it, as a message of now would be read. Stores nothing.',
      requestParams: { query: schema.readInput },
      responses: { 200: json(schema.readJson, typed), ...refusals({ ...READING, 400: 'There is nothing to read.' }) },
    },
  },
  '/api/promises/{id}/fields': {
    patch: {
      operationId: 'editPromise',
      security: sessionOrToken('promises'),
      summary: 'Edit what a promise says',
      description: 'Only what is given changes, and no later digest changes it again. Reopen a closed one first.',
      requestParams: { path: z.object({ id: z.string() }) },
      requestBody: jsonBody(schema.editInput, { dueDate: '2026-11-30', dueTime: null }),
      responses: {
        200: json(schema.changedJson, { success: true, promise: { ...added, dueDate: '2026-11-30', dueTime: null } }),
        ...refusals({ ...WRITING, 404: 'No such promise, or someone else’s.', 409: 'It is closed (`PROMISE_STATE`).' }),
      },
    },
  },
};
