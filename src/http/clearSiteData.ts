import type { Response } from 'express';

/**
 * For the answer that signs a user out: the browser forgets the pages it showed, also those the back button would show
 * as they were left, and what scripts kept. Cookies stay: the session's is taken back by name, and what the person chose
 * for this device is not a secret. Browsers do it on https and on their own machine.
 */
export function clearSiteData(res: Response): void {
  res.set('Clear-Site-Data', '"cache", "storage"');
}
