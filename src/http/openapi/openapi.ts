import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { html, json, OPEN, refusals } from './answers.ts';

export const descriptionPaths: ZodOpenApiPathsObject = {
  '/api/openapi.json': {
    get: {
      operationId: 'getDescription',
      tags: ['This description'],
      security: [],
      summary: 'This reference as OpenAPI',
      responses: {
        200: json(z.looseObject({ openapi: z.string() }), { openapi: '3.1.1' }, 'An OpenAPI document.'),
        ...refusals(OPEN),
      },
    },
  },
  '/api/docs': {
    get: {
      operationId: 'readDescription',
      tags: ['This description'],
      security: [],
      summary: 'This reference as a page',
      responses: { 200: html('A page.'), ...refusals(OPEN) },
    },
  },
};
