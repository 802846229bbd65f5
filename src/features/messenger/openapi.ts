import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, MESSENGER_REFUSALS, READING, refusals, WRITING } from '../../http/openapi/answers.ts';
import { trackInput } from './dialogs/schema.ts';
import { dialogsJson, disconnectedJson, disconnectInput, trackedJson } from './schema.ts';

const accountId = '7c1d3a52-9a0b-4b7e-8f53-1b6a0e4d2c90';
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

export const messengerPaths: ZodOpenApiPathsObject = {
  '/api/messenger/dialogs': {
    get: {
      operationId: 'listDialogs',
      summary: 'All conversations, tracked or not',
      description:
        'New messages are noticed at most once a minute; names and unread counts of quiet conversations may be a day old. ' +
        'Without an account the list is empty.',
      responses: { 200: json(dialogsJson, { dialogs: [dialog] }), ...refusals({ ...READING, ...MESSENGER_REFUSALS }) },
    },
    patch: {
      operationId: 'trackDialog',
      summary: 'Turn a conversation on or off',
      requestBody: jsonBody(trackInput, { dialogId: dialog.id, isTracked: false }),
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
      summary: 'Disconnect an account',
      description: 'Ends its session at the messenger and erases its credentials. Digests and matches stay.',
      requestBody: jsonBody(disconnectInput, { accountId }),
      responses: {
        200: json(disconnectedJson, { success: true, revoked: true }),
        ...refusals({ ...WRITING, 404: 'No such account, or someone else’s.' }),
      },
    },
  },
};
