import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, MESSENGER_REFUSALS, refusals, WRITING } from '../../../http/openapi/answers.ts';
import { connectInput, connectStartedJson, stepJson, verifyInput, verifyPasswordInput } from './schema.ts';

const accountId = '7c1d3a52-9a0b-4b7e-8f53-1b6a0e4d2c90';
const authToken = 'w3J0b1pQY2Rk9nZ7r0u2mA';

const WRITER =
  'Through the API no one is asked who writes the digests: where the operator configured an AI model, it writes those of ' +
  'an account that is connected through the API alone, except in groups, which stay with the built-in summarizer until they ' +
  'are switched on one by one on their page. What a person chose on a page takes precedence.';

function step(about: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description' | 'requestBody'>) {
  const messengerUser = { firstName: 'Lena', lastName: 'Brandt', username: 'lenabrandt' };
  return {
    ...about,
    responses: {
      200: json(
        stepJson,
        { success: true, accountId, messengerUser },
        'Connected, or `{"needs2FA": true}`: the account has a password and the third step is needed.',
      ),
      ...refusals({
        ...WRITING,
        ...MESSENGER_REFUSALS,
        400:
          'Wrong: `CODE_INVALID` or `PASSWORD_INVALID`, and the step stays open. Too late: `CODE_EXPIRED`. An unknown ' +
          'token: `AUTH_TOKEN_INVALID`. The third step before the second: `CODE_REQUIRED`.',
      }),
    },
  } satisfies ZodOpenApiOperationObject;
}

export const messengerLoginPaths: ZodOpenApiPathsObject = {
  '/api/messenger/connect': {
    post: {
      operationId: 'connectMessenger',
      summary: 'First step: send a code',
      description: 'The messenger sends a code to the phone. The token ties the steps together and is valid for 10 minutes.',
      requestBody: jsonBody(connectInput, { phone: '+49 171 3920012' }),
      responses: {
        200: json(connectStartedJson, { authToken }),
        ...refusals({
          ...WRITING,
          ...MESSENGER_REFUSALS,
          429: 'More than 5 times in 15 minutes for one phone, or the messenger asks us to wait.',
          400:
            'No phone number, or one the messenger refuses (`PHONE_INVALID`, `PHONE_BANNED`, `PHONE_UNKNOWN`) or sends no code ' +
            'to (`CODE_UNAVAILABLE`, `CODE_COSTS`), or the messenger wants a newer version of this app (`APP_OUTDATED`).',
        }),
      },
    },
  },
  '/api/messenger/verify': {
    post: step({
      operationId: 'verifyCode',
      summary: 'Second step: the code',
      description: WRITER,
      requestBody: jsonBody(verifyInput, { authToken, code: '48213' }),
    }),
  },
  '/api/messenger/verify-2fa': {
    post: step({
      operationId: 'verifyPassword',
      summary: 'Third step: the two-step verification password',
      description: `Only when the second step answered \`needs2FA\`. ${WRITER}`,
      requestBody: jsonBody(verifyPasswordInput, { authToken, password: 'tulip' }),
    }),
  },
};
