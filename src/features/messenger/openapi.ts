import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { json, READING, refusals, WRITING } from '../../http/openapi/answers.ts';
import { trackInput } from '../dialogs/schema.ts';
import {
  connectInput,
  connectStartedJson,
  dialogsJson,
  disconnectedJson,
  disconnectInput,
  stepJson,
  trackedJson,
  verifyInput,
  verifyPasswordInput,
} from './schema.ts';

const tags = ['Messenger'];
const accountId = '7c1d3a52-9a0b-4b7e-8f53-1b6a0e4d2c90';
const authToken = 'w3J0b1pQY2Rk9nZ7r0u2mA';
const dialog = {
  id: '5b8a2d9c-0c0e-4a0f-9d57-3a4a5c1f9e22',
  accountId,
  peerId: '5001',
  peerType: 'user',
  peerName: 'Marta Silva',
  peerUsername: 'martasilva',
  peerPhone: '',
  isTracked: true,
  lastMessageAt: '2026-11-21T06:58:12.000Z',
  unreadCount: 3,
  matchStatus: 'CONFIRMED',
  matchConfidence: 1,
  crmContactId: '30151',
  crmContactName: 'Marta Silva',
  lastSyncedAt: '2026-11-21T07:00:04.120Z',
};
const OF_THE_MESSENGER = {
  429: 'Too many requests, or the messenger asks us to wait.',
  502: true,
  504: true,
} as const;

const WRITER =
  'Through the API no one is asked who writes the digests: where the operator configured an AI model, it writes those of ' +
  'an account that is connected through the API alone, except in groups, which stay with the built-in summarizer until they ' +
  'are switched on one by one on their page. What a person chose on a page goes first.';

function step(about: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description' | 'requestBody'>) {
  const messengerUser = { firstName: 'Lena', lastName: 'Brandt', username: 'lenabrandt' };
  return {
    ...about,
    tags,
    responses: {
      200: json(
        stepJson,
        { success: true, accountId, messengerUser },
        'Connected, or `{"needs2FA": true}`: the account has a password and the third step is needed.',
      ),
      ...refusals({
        ...WRITING,
        ...OF_THE_MESSENGER,
        400:
          'Wrong: `CODE_INVALID` or `PASSWORD_INVALID`, and the step stays open. Too late: `CODE_EXPIRED`. An unknown ' +
          'token: `AUTH_TOKEN_INVALID`. The third step before the second: `CODE_REQUIRED`.',
      }),
    },
  } satisfies ZodOpenApiOperationObject;
}

export const messengerPaths: ZodOpenApiPathsObject = {
  '/api/messenger/connect': {
    post: {
      operationId: 'connectMessenger',
      tags,
      summary: 'First step: send a code',
      description: 'The messenger sends a code to the phone. The token ties the steps together and lives 10 minutes.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: connectInput, example: { phone: '+49 171 3920012' } } },
      },
      responses: {
        200: json(connectStartedJson, { authToken }),
        ...refusals({
          ...WRITING,
          ...OF_THE_MESSENGER,
          429: 'More than 5 times in 15 minutes for one phone, or the messenger asks us to wait.',
          400: 'No phone number, or one the messenger refuses (`PHONE_INVALID`, `PHONE_BANNED`, `PHONE_UNKNOWN`).',
        }),
      },
    },
  },
  '/api/messenger/verify': {
    post: step({
      operationId: 'verifyCode',
      summary: 'Second step: the code',
      description: WRITER,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: verifyInput, example: { authToken, code: '48213' } } },
      },
    }),
  },
  '/api/messenger/verify-2fa': {
    post: step({
      operationId: 'verifyPassword',
      summary: 'Third step: the two-step password',
      description: `Only when the second step answered \`needs2FA\`. ${WRITER}`,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: verifyPasswordInput, example: { authToken, password: 'tulip' } } },
      },
    }),
  },
  '/api/messenger/dialogs': {
    get: {
      operationId: 'listDialogs',
      tags,
      summary: 'All conversations, tracked or not',
      description: 'Refreshed at most once a minute. Without an account the list is empty.',
      responses: { 200: json(dialogsJson, { dialogs: [dialog] }), ...refusals({ ...READING, ...OF_THE_MESSENGER }) },
    },
    patch: {
      operationId: 'trackDialog',
      tags,
      summary: 'Switch a conversation on or off',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: trackInput, example: { dialogId: dialog.id, isTracked: false } } },
      },
      responses: {
        200: json(trackedJson, { success: true, dialog: { ...dialog, isTracked: false } }),
        ...refusals({
          ...WRITING,
          404: 'No such conversation, or someone else’s.',
          409: 'It is never read, so there is no switch (`NEVER_READ`).',
        }),
      },
    },
  },
  '/api/messenger/disconnect': {
    post: {
      operationId: 'disconnectMessenger',
      tags,
      summary: 'Disconnect an account',
      description: 'Ends its session at the messenger and erases its credentials. Digests and matches stay.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: disconnectInput, example: { accountId } } },
      },
      responses: {
        200: json(disconnectedJson, { success: true, revoked: true }),
        ...refusals({ ...WRITING, 404: 'No such account, or someone else’s.' }),
      },
    },
  },
};
