import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorJson } from '../../http/errors.ts';
import * as answers from '../../http/openapi/answers.ts';
import * as schema from './schema.ts';

const dialogId = '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22';
const contact = {
  id: dialogId,
  peerName: 'Marta Silva',
  peerUsername: 'martasilva',
  peerPhone: '',
  matchStatus: 'CONFIRMED',
  matchConfidence: 1,
  crmContactId: '30151',
  crmContactName: 'Marta Silva',
};
const existsJson = errorJson.safeExtend({ existingContactId: z.string().optional() }).meta({ id: 'ContactExists' });
const EXISTS = {
  error: 'This contact is already in the CRM. Link it instead of creating another one.',
  code: 'CONTACT_EXISTS',
  requestId: answers.REQUEST_ID,
  existingContactId: '30151',
};
const GONE = { 404: 'No such conversation, or someone else’s.' } as const;
const OF_THE_CRM = { 502: 'The CRM is out of reach.', 504: 'The CRM timed out.' } as const;

export const contactsPaths: ZodOpenApiPathsObject = {
  '/api/crm/contacts/search': {
    get: {
      operationId: 'listContacts',
      security: answers.sessionOrToken('read'),
      summary: 'All tracked conversations with their match',
      responses: { 200: answers.json(schema.contactsJson, { contacts: [contact] }), ...answers.refusals(answers.READING) },
    },
    patch: {
      operationId: 'decideMatch',
      summary: 'Confirm or ignore a match',
      description:
        '`confirm` accepts the proposed contact; `ignore` removes the link. No rule overrides what a person decided.',
      requestBody: answers.jsonBody(schema.decideInput, { dialogId, action: 'confirm' }),
      responses: {
        200: answers.json(schema.decidedJson, { success: true, contact }),
        ...answers.refusals({
          ...answers.WRITING,
          ...GONE,
          409: 'The match changed meanwhile (`MATCH_CHANGED`, `CRM_CHANGED`).',
        }),
      },
    },
  },
  '/api/crm/contacts/suggest': {
    get: {
      operationId: 'suggestContacts',
      summary: 'Search CRM contacts by name',
      description:
        'The name is split at `|`, `-` and `/`; first and last name are searched separately. At most 5. Without a ' +
        'name, and for “Unknown”, none.',
      requestParams: { query: schema.suggestInput },
      responses: {
        200: answers.json(schema.suggestionsJson, {
          suggestions: [
            { id: '30151', firstname: 'Marta', lastname: 'Silva', email: 'marta@example.com', company: 'Iberia Parts' },
          ],
        }),
        ...answers.refusals({
          ...answers.READING,
          ...OF_THE_CRM,
          400: 'A name of more than 300 characters, or several.',
          409: 'No CRM is connected (`CRM_NOT_CONNECTED`).',
          429: 'More than 60 searches in a minute, or the CRM asks us to wait.',
        }),
      },
    },
  },
  '/api/crm/contacts/match': {
    patch: {
      operationId: 'linkContact',
      summary: 'Link a conversation to a CRM contact',
      description: 'The confidence becomes 1. With a CRM connected the contact must exist there.',
      requestBody: answers.jsonBody(schema.matchInput, { dialogId, crmContactId: '30151', matchStatus: 'CONFIRMED' }),
      responses: {
        200: answers.json(schema.decidedJson, { success: true, contact }),
        ...answers.refusals({
          ...answers.WRITING,
          ...OF_THE_CRM,
          404: 'No such conversation, or no such contact in the CRM.',
          409: 'The CRM wants a new sign-in (`CRM_NOT_CONNECTED`), or another one was connected (`CRM_CHANGED`).',
        }),
      },
    },
  },
  '/api/crm/contacts/create': {
    post: {
      operationId: 'createContact',
      summary: 'Create a contact in the CRM',
      description: 'With the messenger’s username, where there is one. The conversation is linked to it: `CREATED`.',
      requestBody: answers.jsonBody(schema.createInput, {
        dialogId,
        firstname: 'Marta',
        lastname: 'Silva',
        email: 'marta@example.com',
        phone: '',
      }),
      responses: {
        200: answers.json(schema.createdJson, {
          success: true,
          contactId: '30151',
          contact: { id: '30151', firstname: 'Marta', lastname: 'Silva', email: 'marta@example.com' },
        }),
        ...answers.refusals({ ...answers.WRITING, ...GONE, ...OF_THE_CRM }),
        409: {
          ...answers.refusal(
            409,
            'No CRM is connected (`CRM_NOT_CONNECTED`), or it has this contact already (`CONTACT_EXISTS`, with its id).',
          ),
          content: { 'application/json': { schema: existsJson, example: EXISTS } },
        },
      },
    },
  },
};
