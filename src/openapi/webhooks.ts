import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventTakenJson } from '../features/billing/schema.ts';
import { eventLoggedJson } from '../features/crm/schema.ts';
import { json, refusals } from './answers.ts';

const tags = ['Webhooks'];

const paymentEvent = z
  .looseObject({ id: z.string(), type: z.string() })
  .meta({ description: 'As the provider sends and signs it, byte for byte.' });

const crmEvent = z.looseObject({
  type: z.string().optional(),
  subscriptionType: z.string().optional(),
  portalId: z.union([z.string(), z.number()]).optional(),
  eventId: z.union([z.string(), z.number()]).optional(),
});

export const webhooks: ZodOpenApiPathsObject = {
  '/api/webhooks/payments': {
    post: {
      operationId: 'takePaymentEvent',
      tags,
      security: [{ paymentSignature: [] }],
      summary: 'An event of the payment provider',
      description:
        'In any order, any number of times. `checkout.session.completed`, `customer.subscription.updated`, ' +
        '`customer.subscription.deleted`, `invoice.payment_succeeded` and `invoice.payment_failed` are acted on, others ' +
        'only accepted.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: paymentEvent,
            example: { id: 'evt_1', object: 'event', type: 'invoice.payment_succeeded', created: 1795248000, data: {} },
          },
        },
      },
      responses: {
        200: json(eventTakenJson, { received: true }, 'Done, or done before.'),
        ...refusals({
          400: 'The signature is missing or wrong (`SIGNATURE_INVALID`).',
          413: true,
          415: true,
          500: 'Not done, or no secret is configured: the provider should deliver it again.',
        }),
      },
    },
  },
  '/api/webhooks/crm': {
    post: {
      operationId: 'logCrmEvent',
      tags,
      security: [{ crmSignature: [] }],
      summary: 'An event of the CRM',
      description: 'One or a list. Accepted and logged; nothing is forwarded.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: z.union([crmEvent, z.array(crmEvent)]),
            example: { type: 'OUTGOING_CHANNEL_MESSAGE_CREATED', portalId: 4711, eventId: 100 },
          },
        },
      },
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
