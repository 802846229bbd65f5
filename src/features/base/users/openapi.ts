import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { formBody, json, OPEN, pageRefusals, redirect, refusals, SIGNING } from '../../../http/openapi/answers.ts';
import { devSignInInput, sessionJson } from './schema.ts';

const tags = ['Signing in'];
const security: [] = [];

export const usersPaths: ZodOpenApiPathsObject = {
  '/api/auth/session': {
    get: {
      operationId: 'getSession',
      tags,
      security,
      summary: 'Who is signed in',
      description: 'An empty object when no one is.',
      responses: {
        200: json(sessionJson, {
          user: { id: '0d9f2a4e-7a53-4c8e-8f0a-0f6f3b0a7c11', email: 'lena@example.com', name: 'Lena Brandt' },
          expires: '2026-12-21T07:40:00.000Z',
        }),
        ...refusals(OPEN),
      },
    },
  },
  '/api/auth/callback/dev-credentials': {
    post: {
      operationId: 'signInForDevelopment',
      tags,
      security,
      summary: 'Sign in with an email address only',
      description: 'Finds or creates the user with this address. It exists in development only.',
      requestBody: formBody(devSignInInput, { email: 'lena@example.com', callbackUrl: '/today' }),
      responses: {
        302: redirect('Signed in: the session cookie is set. Redirects to `callbackUrl`, if it’s on this site.'),
        ...refusals({ ...SIGNING, 404: 'Not in development.' }),
        ...pageRefusals({ 400: 'No email address. A browser gets its form back with the error at the field.' }),
      },
    },
  },
  '/api/auth/signout': {
    post: {
      operationId: 'signOut',
      tags,
      security,
      summary: 'Sign out',
      description: 'Ends this session. Without one it does nothing.',
      responses: { 302: redirect('Signed out. Redirects to the sign-in page.'), ...refusals(SIGNING) },
    },
  },
};
