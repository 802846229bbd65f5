import { z } from 'zod';
import { type CreateDocumentOptions, createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { settingsPaths } from './features/base/settings/openapi.ts';
import { signInPaths, usersPaths } from './features/base/users/openapi.ts';
import { billingPaths } from './features/billing/openapi.ts';
import { contactsPaths } from './features/contacts/openapi.ts';
import { crmEventPaths, crmPaths } from './features/crm/openapi.ts';
import { digestDeletionPaths } from './features/data/digestDeletion/openapi.ts';
import { digestsPaths } from './features/digests/openapi.ts';
import { messengerLoginPaths } from './features/messenger/login/openapi.ts';
import { messengerPaths } from './features/messenger/openapi.ts';
import { adminPaths } from './features/operator/admin/openapi.ts';
import { askPaths } from './features/pages/ask/openapi.ts';
import { briefPaths } from './features/pages/brief/openapi.ts';
import { promisesPaths } from './features/promises/openapi.ts';
import { waitingPaths } from './features/promises/waiting/openapi.ts';
import { syncPaths } from './features/sync/openapi.ts';
import { html, json, OPEN, refusals } from './http/openapi/answers.ts';
import type { ApiDescription } from './http/openapi/present.ts';

/** The API map: every endpoint with what it takes and answers, as an OpenAPI 3.1 document. */
export function describeApi({ appName }: { appName: string }): ApiDescription {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: `${appName} API`,
        version: '1',
        description:
          'Reads a person’s messenger conversations once a day, writes a digest for each and puts a note on the right ' +
          'contact in the CRM. Version 1 takes additive changes only.',
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: GROUPS.map(({ name, description }) => ({ name, description })),
      security: [{ session: [] }],
      paths: Object.assign({}, ...GROUPS.map(pathsOf)),
      components: { securitySchemes: SECURITY },
    },
    { override: withoutNoise },
  );
}

const descriptionPaths: ZodOpenApiPathsObject = {
  '/api/openapi.json': {
    get: {
      operationId: 'getDescription',
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
      summary: 'This reference as a page',
      responses: { 200: html('A page.'), ...refusals(OPEN) },
    },
  },
};

type Group = { name: string; description: string; paths: ZodOpenApiPathsObject; security?: [] };

const GROUPS: Group[] = [
  {
    name: 'Signing in',
    description: 'Sets and ends the session cookie. These take forms, not JSON.',
    paths: { ...usersPaths, ...signInPaths },
    security: [],
  },
  { name: 'Sync', description: 'One sync of a person at a time, whoever asked for it.', paths: syncPaths },
  {
    name: 'Digests',
    description: 'One for each conversation and day.',
    paths: { ...digestsPaths, ...digestDeletionPaths, ...askPaths, ...briefPaths },
  },
  {
    name: 'Promises',
    description: 'What the digests found to be done, by the user and by others, and who waits for an answer.',
    paths: { ...promisesPaths, ...waitingPaths },
  },
  { name: 'Contacts', description: 'Which contact of the CRM a conversation belongs to.', paths: contactsPaths },
  {
    name: 'Messenger',
    description: 'Accounts, connected in two or three steps, and their conversations.',
    paths: { ...messengerLoginPaths, ...messengerPaths },
  },
  { name: 'Settings', description: 'When and how the daily sync works.', paths: settingsPaths },
  { name: 'CRM connection', description: 'For a browser: a plain link there, and the way back.', paths: crmPaths },
  {
    name: 'Webhooks',
    description: 'What others tell us. The signature counts, not a session.',
    paths: { ...billingPaths, ...crmEventPaths },
  },
  { name: 'Operation', description: 'For whoever runs the server.', paths: adminPaths },
  { name: 'This description', description: 'Public, for programs and for people.', paths: descriptionPaths, security: [] },
];

/** A group's paths, each operation with the group's tag and, where it has one, its security. */
function pathsOf({ name, security, paths }: Group): ZodOpenApiPathsObject {
  const inGroup = (operation: object) => ({ tags: [name], ...(security && { security }), ...operation });
  const all = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, inGroup(operation)])),
  ]);
  return Object.fromEntries(all);
}

const SECURITY = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'authjs.session-token',
    description: 'Set by signing in. On https its name is `__Host-authjs.session-token`.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token from Settings, Connected apps: it acts as its person within its scopes. It opens only the addresses that ' +
      'list it, up to 300 requests a minute.',
  },
  adminKey: { type: 'apiKey', in: 'query', name: 'key', description: 'The operator’s key.' },
  adminBearer: { type: 'http', scheme: 'bearer', description: 'The operator’s key.' },
  paymentSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'The provider’s signature of the body, made with the webhook’s secret.',
  },
  crmSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-HubSpot-Signature-v3',
    description: 'The CRM’s signature of method, address, body and `X-HubSpot-Request-Timestamp`.',
  },
} as const;

/** Drops the bounds that every whole number has, and the pattern of date-times: they tell a reader nothing. */
const withoutNoise: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
};
