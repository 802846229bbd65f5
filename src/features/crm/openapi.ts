import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, OPEN, pageRefusals, redirect, refusals } from '../../http/openapi/answers.ts';
import { answerFromCrm, eventLoggedJson } from './schema.ts';

const crmEvent = z.looseObject({
  type: z.string().optional(),
  subscriptionType: z.string().optional(),
  portalId: z.union([z.string(), z.number()]).optional(),
  eventId: z.union([z.string(), z.number()]).optional(),
});

/** Addresses for a browser: their errors are pages, unless JSON is asked for. */
export const crmPaths: ZodOpenApiPathsObject = {
  '/api/crm/connect': {
    get: {
      operationId: 'connectCrm',
      summary: 'Start connecting the CRM',
      responses: {
        302: redirect('Redirects to the CRM with the scopes and a state, or to the sign-in page.'),
        ...pageRefusals(OPEN),
      },
    },
  },
  '/api/crm/callback': {
    get: {
      operationId: 'completeCrm',
      summary: 'Finish connecting the CRM',
      description:
        'Exchanges the code for tokens, which are stored encrypted, and creates our contact properties in the CRM. The ' +
        'state is good once, for 10 minutes, for the person who was sent there.',
      requestParams: { query: answerFromCrm },
      responses: {
        302: redirect('Redirects to the settings, which show the outcome, or to the sign-in page.'),
        ...pageRefusals({ ...OPEN, 400: 'No code, or a state that is unknown, used, expired or another person’s.' }),
      },
    },
  },
};

export const crmEventPaths: ZodOpenApiPathsObject = {
  '/api/webhooks/crm': {
    post: {
      operationId: 'logCrmEvent',
      security: [{ crmSignature: [] }],
      summary: 'CRM event',
      description: 'One or a list. Accepted and logged; nothing is forwarded.',
      requestBody: jsonBody(z.union([crmEvent, z.array(crmEvent)]), {
        type: 'OUTGOING_CHANNEL_MESSAGE_CREATED',
        portalId: 4711,
        eventId: 100,
      }),
      responses: {
        200: json(eventLoggedJson, { received: true }),
        ...refusals({
          400: 'The signature is missing or wrong (`SIGNATURE_INVALID`), or the body is no event (`MALFORMED_JSON`).',
          413: true,
          415: true,
          429: true,
          500: true,
        }),
      },
    },
  },
};
