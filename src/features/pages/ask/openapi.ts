import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, sessionOrToken } from '../../../http/openapi/answers.ts';
import { askInput, askJson } from './schema.ts';

const passage = {
  kind: 'digest' as const,
  words: 'You: payment 60 days is hard for me\n↳ Farid: 20% at order and I think I get it through',
  day: '2026-11-24',
  digestId: '9d2c6f51-5f0c-4a35-9d06-6b1f0c2f7a10',
  promiseId: null,
  dialogId: '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22',
  dialog: { peerName: 'Farid Nazari', peerUsername: 'faridnazari' },
  sourceMessageIds: ['4711', '4712'],
};

export const askPaths: ZodOpenApiPathsObject = {
  '/api/ask': {
    get: {
      operationId: 'askDigests',
      security: sessionOrToken('read'),
      summary: 'The passages of digests and promises that answer a question',
      description:
        'Finds names in any script, inflected and mistyped words, days as people say them, and whose promises are meant. ' +
        'Where nothing clearly answers it, what may comes apart. A model, where the server has one, answers from these ' +
        'and the best passages of the same conversations: of those whose person agreed to that, and only if asked to.',
      requestParams: { query: askInput },
      responses: {
        200: json(askJson, {
          question: 'What did we agree with Farid about payment?',
          passages: [passage],
          mentions: [],
          sentences: [{ text: 'Farid thinks 20% at order gets through.', sources: [1] }],
          cited: [],
          lookedAt: { digests: 21, promises: 4 },
        }),
        ...refusals({ ...READING, 400: 'There is no question.' }),
      },
    },
  },
};
