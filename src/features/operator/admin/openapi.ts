import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, refusals } from '../../../http/openapi/answers.ts';
import { adminStatusJson } from './schema.ts';

export const adminPaths: ZodOpenApiPathsObject = {
  '/api/admin/status': {
    get: {
      operationId: 'getAdminStatus',
      security: [{ adminKey: [] }, { adminBearer: [] }],
      summary: 'How the service is doing',
      description: 'Users, digests of the last 24 hours by status, and how long this process has been up.',
      responses: {
        200: json(adminStatusJson, {
          users: { total: 1280, paying: 214 },
          syncs_24h: { PENDING: 0, SUMMARIZING: 3, SYNCING: 1, COMPLETE: 9120, FAILED: 12, SKIPPED: 340 },
          uptime: 86400,
          timestamp: '2026-11-21T08:00:00.000Z',
        }),
        ...refusals({
          401: 'The key is missing or wrong (`WRONG_KEY`).',
          404: 'No key is configured, so this endpoint doesn’t exist.',
          429: true,
          500: true,
          503: true,
        }),
      },
    },
  },
};
