import type { Request } from 'express';
import { isSessionUnread, ownBrowserSession } from './browserSession.ts';

/** One message for the next page: what was done, or what was not. */
export type Flash = { tone: 'ok' | 'warn' | 'alert'; title: string; text?: string; undo?: FlashUndo };

/** A form that undoes it, and the page that the form leads to. */
type FlashUndo = { path: string; back: string };

declare module 'express-session' {
  interface SessionData {
    flash?: Flash;
  }
}

export function setFlash(req: Request, flash: Flash): void {
  ownBrowserSession(req).flash = flash;
}

const UNREAD: Flash = {
  tone: 'warn',
  title: 'A message may be missing here',
  text: 'Part of the service isn’t answering right now. What you save is kept; you may have to start connecting an account again.',
};

/** Takes the message, so that it shows only once. Pages outside of the browser session have none. */
export function takeFlash(req: Request): Flash | undefined {
  const flash = req.session?.flash;
  if (flash) delete req.session.flash;
  return flash ?? (isSessionUnread(req) ? UNREAD : undefined);
}
