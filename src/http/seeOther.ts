import type { Request, Response } from 'express';
import { isHtmx } from './htmx.ts';

/** After a form: on to another page, for a browser (303) and for htmx, which loads that page as a whole. */
export function seeOther(req: Request, res: Response, path: string): void {
  if (isHtmx(req)) res.set('HX-Redirect', path).status(200).end();
  else res.redirect(303, path);
}
