import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, refusals } from '../../http/openapi/answers.ts';
import { eventTakenJson } from './schema.ts';

const paymentEvent = z
  .looseObject({ id: z.string(), type: z.string() })
  .meta({ description: 'As the provider sends and signs it, byte for byte.' });

export const billingPaths: ZodOpenApiPathsObject = {
  '/api/webhooks/payments': {
    post: {
      operationId: 'takePaymentEvent',
      security: [{ paymentSignature: [] }],
      summary: 'Payment provider event',
      description:
        'In any order, any number of times. `checkout.session.completed`, `customer.subscription.updated`, ' +
        '`customer.subscription.deleted`, `invoice.payment_succeeded` and `invoice.payment_failed` are acted on, others ' +
        'only accepted.',
      requestBody: jsonBody(paymentEvent, {
        id: 'evt_1',
        object: 'event',
        type: 'invoice.payment_succeeded',
        created: 1795248000,
        data: {},
      }),
      responses: {
        200: json(eventTakenJson, { received: true }, 'Processed, now or earlier.'),
        ...refusals({
          400: 'The signature is missing or wrong (`SIGNATURE_INVALID`).',
          413: true,
          415: true,
          500: 'Not processed, or no secret is configured: the provider should deliver it again.',
        }),
      },
    },
  },
};
