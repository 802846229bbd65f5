import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, WRITING } from '../../http/openapi/answers.ts';
import { statusInput, syncStatusJson, triggeredJson } from './schema.ts';

const jobId = 'sync:0d9f2a4e-7a53-4c8e-8f0a-0f6f3b0a7c11:manual:12';

export const syncPaths: ZodOpenApiPathsObject = {
  '/api/sync/trigger': {
    post: {
      operationId: 'triggerSync',
      summary: 'Start a sync',
      description: 'Queues a sync. While one is waiting or running, its ID is returned. Takes no body.',
      responses: { 200: json(triggeredJson, { jobId }), ...refusals(WRITING) },
    },
  },
  '/api/sync/status': {
    get: {
      operationId: 'getSyncStatus',
      summary: 'Get the progress of a sync',
      description:
        'An unknown job isn’t an error: its state is `not_found`. A completed job may have errors: each is the error of ' +
        'one conversation, or of the whole connection.',
      requestParams: { query: statusInput },
      responses: {
        200: json(syncStatusJson, {
          state: 'completed',
          progress: 100,
          result: {
            dialogsProcessed: 27,
            digestsCreated: 26,
            notesCreated: 8,
            errors: [
              {
                dialogId: '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22',
                peerName: 'Marta Silva',
                stage: 'summarize',
                code: 'AI_UNAVAILABLE',
                message: 'The AI service didn’t respond.',
                retryable: true,
              },
            ],
          },
        }),
        ...refusals({ ...READING, 400: 'No `jobId`, or more than one.' }),
      },
    },
  },
};
