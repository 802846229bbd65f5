import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, sessionOrToken } from '../../http/openapi/answers.ts';
import { digestsJson } from './schema.ts';

export const digestsPaths: ZodOpenApiPathsObject = {
  '/api/digests': {
    get: {
      operationId: 'listDigests',
      security: sessionOrToken('read'),
      summary: 'The 50 newest digests',
      description:
        'Newest day first; within a day those with a summary first, then by the last message. A digest that is not ' +
        'written (yet) has an empty summary. Written by a model, a summary is prose; without one it quotes people: a ' +
        'line for each exchange, “Name: words”, an answer on the next line behind “↳ ”, and “✓” behind what was done.',
      responses: {
        200: json(digestsJson, {
          digests: [
            {
              id: '9d2c6f51-5f0c-4a35-9d06-6b1f0c2f7a10',
              digestDate: '2026-11-21T00:00:00.000Z',
              messageCount: 42,
              status: 'COMPLETE',
              summary: 'Marta needs the signed offer by Friday and asks whether the price includes the set-up.',
              structuredData: {
                topics: ['Offer', 'Price'],
                action_items: [
                  {
                    id: 'a1f4c09be2d7',
                    text: 'Send the signed offer',
                    owner: 'user',
                    ownerName: null,
                    dueDate: '2026-11-27',
                    dueText: 'by Friday',
                    sourceMessageIds: ['4711'],
                  },
                ],
                sentiment: 'positive',
                urgency: 'high',
              },
              dialog: { peerName: 'Marta Silva', peerUsername: 'martasilva' },
            },
          ],
        }),
        ...refusals(READING),
      },
    },
  },
};
