import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

/** Choices for one browser, stored in its cookies: keyboards and screens belong to devices. */
export type BrowserChoices = {
  /** Undefined: as the device has it. */
  theme: 'light' | 'dark' | undefined;
  /** Single-key shortcuts can be turned off (WCAG 2.1.4). */
  keysOff: boolean;
  /** A key was pressed before: the list of keys is only shown when asked for. `public/promises.js` stores it. */
  knowsKeys: boolean;
};

const YEAR_MS = 365 * 24 * 3600 * 1000;

export function browserChoices(req: Request): BrowserChoices {
  const { theme, keys, knowsKeys } = parseCookie(req.headers.cookie ?? '');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    keysOff: keys === 'off',
    knowsKeys: knowsKeys === 'yes',
  };
}

export function hasKeys(req: Request): boolean {
  return !browserChoices(req).keysOff;
}

export function chooseTheme(req: Request, res: Response, theme: BrowserChoices['theme']): void {
  keep(req, res, { name: 'theme', value: theme });
}

export function chooseKeys(req: Request, res: Response, keys: 'on' | 'off'): void {
  keep(req, res, { name: 'keys', value: keys === 'off' ? keys : undefined });
}

function keep(req: Request, res: Response, { name, value }: { name: string; value: string | undefined }): void {
  const cookie = { path: '/', sameSite: 'lax', httpOnly: true, secure: req.secure } as const;
  if (value === undefined) res.clearCookie(name, cookie);
  else res.cookie(name, value, { ...cookie, maxAge: YEAR_MS });
}
