import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, sessionOrToken } from '../../../http/openapi/answers.ts';
import { briefInput, briefJson } from './schema.ts';

const dialogId = '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22';
const promiseId = '0f6a1c7e-51fb-4b0e-8d0e-6a1b9d7c2e33';

export const briefPaths: ZodOpenApiPathsObject = {
  '/api/brief': {
    get: {
      operationId: 'getBrief',
      security: sessionOrToken('read'),
      summary: 'What to know about a conversation before a call',
      description:
        'Who it is, what each side owes, the newest figures, days and files, and what happened by week, each with its source. ' +
        'With a company in the CRM, its other people are included. Quoted from digests and promises. Where the server has a ' +
        'model, and the conversation’s person agreed to that, it begins with up to three sentences, once they are asked for.',
      requestParams: { query: briefInput },
      responses: {
        200: json(briefJson, {
          dialogId,
          name: 'Claire Whitfield',
          about: ['Harrow Foods', 'claire.whitfield@harrow.example'],
          colleagues: ['Darren Pike'],
          sentences: [{ text: 'You owe Claire the price for 1,100 loggers.', sources: [1] }],
          promises: {
            mine: [{ promiseId, words: 'Price for 1,100 loggers', who: '', due: 'today, 12:00', source: 1 }],
            theirs: [],
            unassigned: [],
            perhapsSettled: [],
            kept: [],
          },
          facts: [{ kind: 'numbers', words: '1,100 units on 30 sites', day: '2026-11-22', source: 1 }],
          weeks: [{ week: 'This week', lines: [{ words: 'Claire asks about the outage', day: '2026-11-24', source: 1 }] }],
          sources: [{ number: 1, who: 'Claire Whitfield', when: 'Tue 24 Nov, 16:36' }],
          text: 'Claire Whitfield\nHarrow Foods',
        }),
        ...refusals({ ...READING, 400: 'The ID is none.', 404: 'No such conversation, or someone else’s.' }),
      },
    },
  },
};
