import type { Request } from 'express';
import { ownBrowserSession } from './browserSession.ts';

/** One message for the next page: what was done, or what was not. */
export type Flash = { tone: 'ok' | 'warn' | 'alert'; title: string; text?: string };

declare module 'express-session' {
  interface SessionData {
    flash?: Flash;
  }
}

export function setFlash(req: Request, flash: Flash): void {
  ownBrowserSession(req).flash = flash;
}

/** The message, once. Pages outside of the browser session have none. */
export function takeFlash(req: Request): Flash | undefined {
  const flash = req.session?.flash;
  if (flash) delete req.session.flash;
  return flash;
}
