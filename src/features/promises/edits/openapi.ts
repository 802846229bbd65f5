import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, sessionOrToken, WRITING } from '../../../http/openapi/answers.ts';
import { changedJson } from '../schema.ts';
import { addInput, editInput, readInput, readJson } from './schema.ts';

const tags = ['Promises'];
const dialogId = '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22';
const typed = { words: 'Call Katrin', dueDate: '2026-11-24', dueTime: '09:00' };
const added = {
  ...{ id: '3f0d1c52-7a34-4b0e-8a51-1d0f6f1b7c20', dialogId, itemId: 'added-6c1a7f0e-0d0b-4e8e-9a58-2b5d0c9d1f11' },
  ...{ direction: 'mine', who: null, ...typed, dueText: null, kind: 'promise', movedFrom: null },
  ...{ state: 'open', snoozedUntil: null, firstDigestId: null, lastDigestId: null },
  ...{ firstSaidOn: '2026-11-23', lastSaidOn: '2026-11-23', sourceMessageIds: [] },
  ...{ isAdded: true, edited: ['words', 'due', 'side', 'kind'], changedBy: 'person' },
  ...{ changedAt: '2026-11-23T17:02:11.000Z', reason: null, replacedBy: null, evidence: null },
  ...{ isDoubtful: false, canUndo: true, dialog: { peerName: 'Katrin Vogel', peerUsername: 'katrinv' } },
};

export const promiseEditsPaths: ZodOpenApiPathsObject = {
  '/api/promises': {
    post: {
      operationId: 'addPromise',
      tags,
      summary: 'Add a promise of one’s own',
      description: 'Messages close it like any other. No digest changes what it says.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: addInput, example: { dialogId, ...typed } } },
      },
      responses: {
        200: json(changedJson, { success: true, promise: added }),
        ...refusals({ ...WRITING, 404: 'No such conversation, or someone else’s.' }),
      },
    },
  },
  '/api/promises/read': {
    get: {
      operationId: 'readPromise',
      tags,
      summary: 'Read a line as it is typed',
      description:
        'What is to be done, and the day and hour named in it, as a message of now would be read. Stores nothing.',
      requestParams: { query: readInput },
      responses: {
        200: json(readJson, typed),
        ...refusals({ ...READING, 400: 'There is nothing to read.' }),
      },
    },
  },
  '/api/promises/{id}/fields': {
    patch: {
      operationId: 'editPromise',
      tags,
      security: sessionOrToken('promises'),
      summary: 'Edit what a promise says',
      description: 'Only what is given changes, and no later digest changes it again. Reopen a closed one first.',
      requestParams: { path: z.object({ id: z.string() }) },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: editInput, example: { dueDate: '2026-11-30', dueTime: null } } },
      },
      responses: {
        200: json(changedJson, { success: true, promise: { ...added, dueDate: '2026-11-30', dueTime: null } }),
        ...refusals({
          ...WRITING,
          404: 'No such promise, or someone else’s.',
          409: 'It is closed (`PROMISE_STATE`).',
        }),
      },
    },
  },
};
