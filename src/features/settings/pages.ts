import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { chooseTheme } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { nextWords } from '../../lib/words.ts';
import type { Connection } from './connection.ts';
import { type MailSectionDeps, mailSection } from './mailPages.ts';
import { type SyncConfig, settingsInput } from './schema.ts';
import { getSettings, updateSettings } from './service.ts';
import { zonesWith } from './zones.ts';

type Deps = MailSectionDeps & {
  db: Db;
  clock: Clock;
  render: Renderer;
  /** The user's connected accounts, told by the features that have them. */
  listConnections(about: { userId: string; timezone: string }): Promise<Connection[]>;
  /** When the next daily digest is; undefined while nothing is connected. Told by the feature that makes it. */
  findNextDigest(owner: { userId: string }): Promise<Date | undefined>;
  /** What the settings come to, in words. Told by the feature that sees it all. */
  describeEffect(owner: { userId: string }): Promise<Effect>;
  /** What the CRM's own part of the page prints. */
  showCrm(owner: { userId: string }): Promise<object>;
};

/** '' where nothing is known yet. */
type Effect = { minMessages: string; groups: string; next: { label: string; value: string }[] };

/** A form sends text, and nothing at all for a switch that is off. */
const formSwitch = z.literal('on', 'A switch sends "on", or nothing.').optional();
const settingsForm = z
  .object({
    syncTime: z.string().catch(''),
    timezone: z.string().catch(''),
    minMessages: z.string().trim().catch(''),
    includeGroups: formSwitch,
    summaryStyle: z.string().catch(''),
    autoCreateContacts: formSwitch,
  })
  .transform(form => ({
    ...form,
    includeGroups: form.includeGroups === 'on',
    autoCreateContacts: form.autoCreateContacts === 'on',
  }));

type Typed = z.output<typeof settingsForm>;

const themeForm = z.object({ theme: z.enum(['light', 'dark', 'system']) });

export function settingsPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/settings', requireUser, async (req, res) => {
    const config = await getSettings(deps, { userId: currentUser(req).id });
    await showSettings(deps, req, res, { typed: typedOf(config), errors: {}, status: 200 });
  });

  pages.post('/settings', requireUser, async (req, res) => {
    const typed = parseInput(settingsForm, req.body);
    try {
      // Zero is as wrong as anything that is no whole number.
      const minMessages = /^\d{1,9}$/.test(typed.minMessages) ? Number(typed.minMessages) : 0;
      const changes = parseInput(settingsInput, { ...typed, minMessages });
      const config = await updateSettings(deps, { userId: currentUser(req).id, changes });
      await sendSaved(deps, req, res, config);
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      await showSettings(deps, req, res, { typed, errors: err.fields, status: 400 });
    }
  });

  pages.post('/settings/theme', requireUser, (req, res) => {
    const { theme } = parseInput(themeForm, req.body);
    chooseTheme(req, res, theme === 'system' ? undefined : theme);
    res.redirect(303, '/settings#appearance');
  });

  return pages;
}

function typedOf(config: SyncConfig): Typed {
  return { ...config, minMessages: String(config.minMessages) };
}

async function sendSaved(deps: Deps, req: Request, res: Response, config: SyncConfig) {
  const next = await deps.findNextDigest({ userId: currentUser(req).id });
  const now = deps.clock.now();
  const text = next && `The next digest is ${nextWords(next, { now, timezone: config.timezone })}.`;
  const saved = text ? `Saved. ${text}` : 'Saved';
  if (isHtmx(req)) {
    const effect = await deps.describeEffect({ userId: currentUser(req).id });
    return deps.render.fragment(res, 'settings/_form', formData(deps, typedOf(config), {}, { saved, effect }));
  }
  setFlash(req, { tone: 'ok', title: 'Saved', ...(text && { text }) });
  res.redirect(303, '/settings');
}

type Shown = { typed: Typed; errors: Record<string, string>; status: number };

async function showSettings(deps: Deps, req: Request, res: Response, { typed, errors, status }: Shown) {
  const userId = currentUser(req).id;
  const formOf = async () =>
    formData(deps, typed, errors, { saved: '', effect: await deps.describeEffect({ userId }) });
  if (isHtmx(req)) return deps.render.fragment(res, 'settings/_form', await formOf(), status);
  const [form, connections, crm, mail] = await Promise.all([
    formOf(),
    getSettings(deps, { userId }).then(({ timezone }) => deps.listConnections({ userId, timezone })),
    deps.showCrm({ userId }),
    mailSection(deps, currentUser(req)),
  ]);
  const title = status === 400 ? 'Error: Settings' : 'Settings';
  const next = form.effect.next;
  deps.render.page(res, 'settings/index', { form, connections, crm, mail, next }, { title, status, nav: 'settings' });
}

type Beside = { saved: string; effect: Effect };

function formData(deps: Deps, typed: Typed, errors: Record<string, string>, { saved, effect }: Beside) {
  return { typed, errors, saved, effect, zones: zonesWith(typed.timezone, deps.clock.now()) };
}
