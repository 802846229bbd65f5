import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, READING, refusals, WRITING } from '../../../http/openapi/answers.ts';
import { changedJson, changeInput, listInput, waitingJson } from './schema.ts';

const dialogId = '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22';
const wait = {
  dialogId,
  messageId: '4711',
  lastMessageId: '4713',
  askedAt: '2026-11-23T09:12:00.000Z',
  question: 'Ingrid asks whether the tags survive a blast freezer at −60 °C.',
  dialog: { peerName: 'Ingrid Solberg', peerUsername: 'ingridsolberg' },
};

export const waitingPaths: ZodOpenApiPathsObject = {
  '/api/waiting': {
    get: {
      operationId: 'listWaiting',
      summary: 'Conversations that wait for the user’s answer',
      description:
        'What was asked of the user and not answered for as many working days as the user chose, the longest wait first. What is ' +
        'a promise of the user is listed there instead.',
      requestParams: { query: listInput },
      responses: {
        200: json(waitingJson, { count: 1, waiting: [wait] }),
        ...refusals({ ...READING, 400: 'A filter is not as described.' }),
      },
    },
    patch: {
      operationId: 'changeWaiting',
      summary: 'Say that no answer is needed, or undo that',
      description:
        'The same messages never wait again; what is asked later does. Dismissed or answered already is no error.',
      requestBody: jsonBody(changeInput, { dialogId, action: 'dismiss', lastMessageId: '4713' }),
      responses: {
        200: json(changedJson, { success: true }),
        ...refusals({
          ...WRITING,
          404: 'No such conversation, or someone else’s.',
          409: 'Nothing is left to undo (`NOTHING_TO_UNDO`).',
        }),
      },
    },
  },
};
