import type { Response } from 'express';

/**
 * For the answer that signs a user out: the browser forgets the pages it showed, even those the back button would show
 * as they were left, and what scripts stored. Cookies stay: the session's is cleared by name, and what the person chose
 * for this device is not a secret. Browsers obey it on https and on their own machine.
 */
export function clearSiteData(res: Response): void {
  res.set('Clear-Site-Data', '"cache", "storage"');
}
