import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, sessionOrToken, WRITING } from '../../http/openapi/answers.ts';
import { bulkInput, bulkJson, changedJson, changeInput, listInput, promisesJson } from './schema.ts';

const tags = ['Promises'];
const id = '3f0d1c52-7a34-4b0e-8a51-1d0f6f1b7c20';
const promise = {
  id,
  dialogId: '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22',
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

export const promisesPaths: ZodOpenApiPathsObject = {
  '/api/promises': {
    get: {
      operationId: 'listPromises',
      tags,
      security: sessionOrToken('read'),
      summary: 'Promises in one state, page by page',
      description: 'By due day, those without one last. Snoozed until today or an earlier day is open.',
      requestParams: { query: listInput },
      responses: {
        200: json(promisesJson, { promises: [promise], nextCursor: null }),
        ...refusals({ ...READING, 400: 'A filter is not as described.' }),
      },
    },
  },
  '/api/promises/{id}': {
    patch: {
      operationId: 'changePromise',
      tags,
      security: sessionOrToken('promises'),
      summary: 'Decide about a promise',
      description:
        'Open and snoozed ones can be done, cancelled, dismissed, snoozed and moved, all others reopened. Decided so ' +
        'already, it stays as it is. What a person decided no rule changes any more.',
      requestParams: { path: z.object({ id: z.string() }) },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: changeInput, example: { action: 'done' } } },
      },
      responses: {
        200: json(changedJson, { success: true, promise: done }),
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
      tags,
      security: sessionOrToken('promises'),
      summary: 'Decide about many promises at once',
      description: 'At most 500. What can’t be changed is among `refused`, with the reason; the others are changed.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bulkInput, example: { ids: [id], change: { action: 'done' } } } },
      },
      responses: { 200: json(bulkJson, { success: true, promises: [done], refused: [] }), ...refusals(WRITING) },
    },
  },
};
