import { parseCookie } from 'cookie';
import type { RequestHandler } from 'express';
import { randomToken, sameSecret } from '../../../lib/crypto.ts';
import { Forbidden } from '../../../lib/errors.ts';

const COOKIE = 'forenoon-setup';
const PATH = '/setup';

/**
 * Admits the browser that first opens the address with the token, which the terminal shows. It gets a cookie for as
 * long as it is open and this process runs. Everyone else is refused, even a second browser with the token.
 */
export function admitOnce(token: string): RequestHandler {
  const admitted = randomToken();
  let isUsed = false;
  return (req, res, next) => {
    const shown = parseCookie(req.headers.cookie ?? '')[COOKIE];
    const isAdmitted = shown !== undefined && sameSecret(shown, admitted);
    const offered = req.query.token;
    if (offered === undefined) return next(isAdmitted ? undefined : refusal());
    const isGood = !isUsed && typeof offered === 'string' && sameSecret(offered, token);
    if (!isAdmitted && !isGood) return next(refusal());
    isUsed = true;
    res.cookie(COOKIE, admitted, { httpOnly: true, sameSite: 'lax', path: PATH });
    // Drops the token, which must not stay in the address.
    res.set('Referrer-Policy', 'no-referrer').redirect(303, PATH);
  };
}

function refusal(): Forbidden {
  const words =
    'Open the address that the terminal shows. It works once: run npm start -- --setup again for a new one.';
  return new Forbidden(words, 'NOT_FROM_TERMINAL');
}
