import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { answerFromCrm } from '../features/crm/schema.ts';
import { pageRefusals, redirect } from './answers.ts';

const tags = ['CRM connection'];

/** Addresses for a browser: their errors are pages, unless JSON is asked for. */
export const crm: ZodOpenApiPathsObject = {
  '/api/crm/connect': {
    get: {
      operationId: 'connectCrm',
      tags,
      summary: 'Go to the CRM to allow the access',
      responses: {
        302: redirect('Goes on to the CRM with the scopes and a state, or to the sign-in page.'),
        ...pageRefusals({ 401: true, 429: true, 500: true, 503: true }),
      },
    },
  },
  '/api/crm/callback': {
    get: {
      operationId: 'completeCrm',
      tags,
      summary: 'Come back from the CRM',
      description:
        'Exchanges the code for tokens, which are stored encrypted, and makes our contact properties in the CRM. The ' +
        'state is good once, for 10 minutes, for the person who was sent there.',
      requestParams: { query: answerFromCrm },
      responses: {
        302: redirect('Goes on to the settings, which say how it went, or to the sign-in page.'),
        ...pageRefusals({
          400: 'No code, or a state that was not given out, was used, is too old or another person’s.',
          401: true,
          429: true,
          500: true,
          503: true,
        }),
      },
    },
  },
};
