import { type Request, type Response, Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import type { RequirementAttempt } from './requirements/present.ts';
import { requirementKey, requirementValue } from './requirements/schema.ts';
import { fillIn, forgetRequirement } from './service.ts';

type Deps = {
  db: Db;
  queue: Queue;
  /** Renders the CRM's section of the settings. */
  showSection(req: Request, res: Response, said: { saved?: string; attempt?: RequirementAttempt }): Promise<void>;
};

/** Saves or removes what is sent for a property that the account requires. Either way, what waits is tried again. */
export function routeRequirements(deps: Deps): Router {
  const pages = Router();

  pages.post('/settings/crm/required', requireUser, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    const key = parseInput(requirementKey, req.body);
    const { data: value, error } = requirementValue.safeParse(req.body?.value);
    if (value === undefined) {
      const sentence = error.issues[0]?.message ?? '';
      if (!isHtmx(req)) throw new InvalidInput(sentence, { value: sentence });
      const attempt = { ...key, value: String(req.body?.value ?? ''), error: sentence };
      return deps.showSection(req, res, { attempt });
    }
    await fillIn(deps, { ...owner, ...key, value });
    await showSaved(req, res);
  });

  pages.post('/settings/crm/required/remove', requireUser, async (req, res) => {
    await forgetRequirement(deps, { userId: currentUser(req).id, ...parseInput(requirementKey, req.body) });
    await showSaved(req, res);
  });

  async function showSaved(req: Request, res: Response) {
    if (isHtmx(req)) return deps.showSection(req, res, { saved: 'Saved' });
    setFlash(req, { tone: 'ok', title: 'Saved' });
    res.redirect(303, '/settings');
  }

  return pages;
}
