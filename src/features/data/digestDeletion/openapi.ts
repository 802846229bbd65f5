import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, refusals, WRITING } from '../../../http/openapi/answers.ts';
import { allDeletedJson, deletedJson } from '../../digests/schema.ts';

const REFUSALS = refusals({ ...WRITING, 404: true });
const AND_WITH_IT =
  'With it go the promises that no other digest says, except those that their person added or edited, and the questions ' +
  'in its messages. Notes and tasks are removed from the CRM as soon as it can be reached. Its messages stay in Telegram ' +
  'and are not read again.';

export const digestDeletionPaths: ZodOpenApiPathsObject = {
  '/api/digests/{id}': {
    delete: {
      operationId: 'deleteDigest',
      summary: 'Delete a digest',
      description: AND_WITH_IT,
      requestParams: { path: z.object({ id: z.string().meta({ description: 'Of the digest' }) }) },
      responses: { 200: json(deletedJson, { success: true }), ...REFUSALS },
    },
  },
  '/api/messenger/dialogs/{id}/digests': {
    delete: {
      operationId: 'deleteDigestsOfConversation',
      summary: 'Delete all digests of a conversation',
      description: `As for a single one. ${AND_WITH_IT}`,
      requestParams: { path: z.object({ id: z.string().meta({ description: 'Of the conversation' }) }) },
      responses: { 200: json(allDeletedJson, { success: true, deleted: 12 }), ...REFUSALS },
    },
  },
};
