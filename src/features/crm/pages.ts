import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { type Flash, setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import type { Renderer } from '../../http/render.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { disconnect } from './connect.ts';
import { presentConnection } from './presentConnection.ts';
import { type CrmDeps, changeSwitches, getConnection } from './service.ts';

export type CrmPagesDeps = CrmDeps & {
  queue: Queue;
  render: Renderer;
  /** What the features to the right know about the user: their time zone, how many notes wait, when one was written. */
  contextOf(owner: Owner): Promise<{ timezone: string; waiting: number; lastNoteAt: Date | null }>;
};

type Owner = { userId: string /** Where it is known already. */; timezone?: string };

/** Without a place on the page: what happened is told at its top. */
const CONNECTIONS = '/settings';

const trueOrFalse = z.enum(['true', 'false']).transform(value => value === 'true');
const switchesForm = z
  .object({ sureMatchesWrite: trueOrFalse.exactOptional(), nameMatchesWrite: trueOrFalse.exactOptional() })
  .refine(form => Object.values(form).some(value => value !== undefined), 'Choose what to change.');

export function crmPages(deps: CrmPagesDeps): Router {
  const pages = Router();

  pages.post('/settings/crm', requireUser, async (req, res) => {
    const switches = parseInput(switchesForm, req.body);
    await changeSwitches(deps, { userId: currentUser(req).id, switches });
    if (isHtmx(req)) return showSection(deps, req, res);
    setFlash(req, { tone: 'ok', title: 'Saved' });
    res.redirect(303, CONNECTIONS);
  });

  pages.get('/settings/crm/disconnect', requireUser, async (req, res) => {
    const { who, disconnect: canEnd } = await crmSection(deps, { userId: currentUser(req).id });
    if (!canEnd) throw new NotFound('connection');
    deps.render.page(res, 'crm/disconnect', { who }, { title: 'Disconnect the CRM', nav: 'settings' });
  });

  pages.post('/settings/crm/disconnect', requireUser, async (req, res) => {
    const { revoked } = await disconnect(deps, { userId: currentUser(req).id });
    setFlash(req, revoked ? GONE : GONE_HERE);
    res.redirect(303, CONNECTIONS);
  });

  return pages;
}

/** The section the settings page shows. */
export async function crmSection(deps: Omit<CrmPagesDeps, 'render' | 'queue'>, owner: Owner, saved = '') {
  const [connection, context] = await Promise.all([getConnection(deps, owner), deps.contextOf(owner)]);
  return presentConnection(connection, { ...context, now: deps.clock.now(), isConfigured: Boolean(deps.crm), saved });
}

async function showSection(deps: CrmPagesDeps, req: Request, res: Response) {
  const section = await crmSection(deps, { userId: currentUser(req).id }, 'Saved');
  deps.render.fragment(res, 'crm/_section', section);
}

const GONE: Flash = {
  tone: 'ok',
  title: 'The CRM is disconnected',
  text: 'The access is ended and erased. Notes that are in the CRM stay there, and so do your matches here.',
};
const GONE_HERE: Flash = {
  tone: 'warn',
  title: 'The CRM is disconnected here',
  text: 'The CRM could not be told. End the access there too: Settings, Integrations, Connected apps.',
};
