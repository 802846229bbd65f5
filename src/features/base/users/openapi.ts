import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorJson } from '../../../http/errors.ts';
import {
  formBody,
  json,
  OPEN,
  pageRefusals,
  redirect,
  refusal,
  refusals,
  SIGNING,
  withErrorPage,
} from '../../../http/openapi/answers.ts';
import { mailCallbackInput, sessionJson, signInInput } from './schema.ts';

export const usersPaths: ZodOpenApiPathsObject = {
  '/api/auth/session': {
    get: {
      operationId: 'getSession',
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
      summary: 'Sign in with an email address only',
      description: 'Finds or creates the user with this address. It exists in development only.',
      requestBody: formBody(signInInput, { email: 'lena@example.com', callbackUrl: '/today' }),
      responses: {
        302: redirect('Signed in: the session cookie is set. Redirects to `callbackUrl`, if it’s on this site.'),
        ...pageRefusals({
          ...SIGNING,
          404: 'Not in development.',
          400: 'No email address. A browser gets its form back with the error at the field.',
        }),
      },
    },
  },
  '/api/auth/signout': {
    post: {
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Ends this session. Without one it does nothing.',
      responses: { 302: redirect('Signed out. Redirects to the sign-in page.'), ...pageRefusals(SIGNING) },
    },
  },
};

const otherUserJson = errorJson
  .safeExtend({ address: z.string().meta({ description: 'Of the link, masked' }) })
  .meta({ id: 'OtherUserSignedIn' });

export const signInPaths: ZodOpenApiPathsObject = {
  '/api/auth/signin/email': {
    post: {
      operationId: 'askForSignInLink',
      summary: 'Send a sign-in link',
      description:
        'The answer and its time are the same whether or not someone has this address. At most 5 emails to one inbox ' +
        '(whatever comes after a plus) and 20 from one IP address in 15 minutes. It exists where a mail server is configured.',
      requestBody: formBody(signInInput, { email: 'lena@example.com', callbackUrl: '/today' }),
      responses: {
        303: redirect('The email is on its way. Redirects to a confirmation page.'),
        ...pageRefusals({
          ...SIGNING,
          404: 'No mail server is configured.',
          400: 'No email address. A browser gets its form back with the error at the field.',
          429: 'Too many emails to this address. A browser gets its form back with what was typed.',
        }),
      },
    },
  },
  '/api/auth/callback/email': {
    post: {
      operationId: 'signInByLink',
      summary: 'Sign in with the token of a link',
      description:
        'A token works once, for 30 minutes from an email and for 10 from the terminal (`npm run sign-in-link`); using one ends the others of its address. Creates the user at the first ' +
        'time. While another user is signed in, it works only with the id of that user in `switchFrom`. It exists where ' +
        'a mail server or an owner is configured.',
      requestBody: formBody(mailCallbackInput, { token: 'Zk3v0u2kq3b8m1N5xYw7d4RrJt6LhPsQeFgCaUiOoVc' }),
      responses: {
        303: redirect(
          'Signed in: the session cookie is set. Redirects to the page that was requested when the email was sent.',
        ),
        ...pageRefusals({
          ...SIGNING,
          404: 'Neither a mail server nor an owner is configured.',
          400: 'The token is missing, or `LINK_EXPIRED`, `LINK_USED` or `LINK_UNKNOWN`. A browser gets a page.',
        }),
        409: withErrorPage({
          ...refusal(409, '`OTHER_USER_SIGNED_IN`: someone else is signed in. A browser gets a page that asks.'),
          content: { 'application/json': { schema: otherUserJson } },
        }),
      },
    },
  },
};
