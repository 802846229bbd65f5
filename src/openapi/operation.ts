import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { adminStatusJson } from '../features/admin/schema.ts';
import { html, json, refusals } from './answers.ts';

export const operation: ZodOpenApiPathsObject = {
  '/api/admin/status': {
    get: {
      operationId: 'getAdminStatus',
      tags: ['Operation'],
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
          404: 'No key is configured, so there is no such address.',
          429: true,
          500: true,
          503: true,
        }),
      },
    },
  },
};

export const description: ZodOpenApiPathsObject = {
  '/api/openapi.json': {
    get: {
      operationId: 'getDescription',
      tags: ['This description'],
      security: [],
      summary: 'This description, for programs',
      responses: {
        200: json(z.looseObject({ openapi: z.string() }), { openapi: '3.1.1' }, 'An OpenAPI document.'),
        ...refusals({ 429: true, 500: true, 503: true }),
      },
    },
  },
  '/api/docs': {
    get: {
      operationId: 'readDescription',
      tags: ['This description'],
      security: [],
      summary: 'This description, for people',
      responses: { 200: html('A page.'), ...refusals({ 429: true, 500: true, 503: true }) },
    },
  },
};
