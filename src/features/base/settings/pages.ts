import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { chooseTheme } from '../../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import type { Renderer } from '../../../http/render.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { nextWords } from '../../../lib/words.ts';
import { presentLanguages, presentStyles, presentWaits, zonesWith } from './present.ts';
import { type Connection, type MailMode, pageInput, type Standing, type SyncConfig } from './schema.ts';
import { getStanding, updateSettings } from './service.ts';

type Deps = {
  db: Db;
  clock: Clock;
  render: Renderer;
  /** Undefined where no model writes: languages are offered only with one. */
  aiService: object | undefined;
  /** Undefined where there is no CRM to write to. */
  crm: object | undefined;
  /** The user's connected accounts, and the effect of the settings in words. From the features that know it all. */
  readSettingsContext(about: {
    userId: string;
    standing: Standing;
  }): Promise<{ connections: Connection[]; effect: Effect }>;
  /** When the next daily digest is; undefined while nothing is connected. Supplied by the feature that makes it. */
  findNextDigest(owner: { userId: string }): Promise<Date | undefined>;
  /** What the parts of the page about the daily and the weekly email print. */
  showMail(reader: { id: string; email: string }, mode: MailMode): Promise<object>;
  showWeekMail(reader: { id: string; email: string }, standing: Standing): Promise<object>;
  /** What the CRM's own part of the page prints. */
  showCrm(owner: { userId: string; timezone: string }): Promise<object>;
};

/** '' where nothing is known yet. */
type Effect = { minMessages: string; groups: string; next: { label: string; value: string }[] };

/** A form sends text, and nothing at all for a switch that is off. */
const formSwitch = z
  .literal('on', 'A switch sends "on", or nothing.')
  .optional()
  .transform(value => value === 'on');
const settingsForm = z.object({
  syncTime: z.string().catch(''),
  timezone: z.string().catch(''),
  minMessages: z.string().trim().catch(''),
  includeGroups: formSwitch,
  summaryStyle: z.string().catch(''),
  autoCreateContacts: formSwitch,
  waitingDays: z.string().optional().catch(undefined),
  digestLanguage: z.string().optional().catch(undefined),
  crmLanguage: z.string().optional().catch(undefined),
} satisfies Record<keyof SyncConfig, z.ZodType>);

type Typed = z.output<typeof settingsForm>;

const themeForm = z.object({ theme: z.enum(['light', 'dark', 'system']) });

export function settingsPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/settings', requireUser, async (req, res) => {
    const standing = await getStanding(deps, { userId: currentUser(req).id });
    await showSettings(deps, req, res, { typed: typedOf(standing.config), errors: {}, status: 200, standing });
  });

  pages.post('/settings', requireUser, async (req, res) => {
    const typed = parseInput(settingsForm, req.body);
    try {
      // Zero is as invalid as anything that is not a whole number.
      const minMessages = /^\d{1,9}$/.test(typed.minMessages) ? Number(typed.minMessages) : 0;
      const languages = deps.aiService ? {} : { digestLanguage: undefined, crmLanguage: undefined };
      const changes = parseInput(pageInput, { ...typed, minMessages, ...languages });
      await updateSettings(deps, { userId: currentUser(req).id, changes });
      await sendSaved(deps, req, res);
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      const standing = await getStanding(deps, { userId: currentUser(req).id });
      await showSettings(deps, req, res, { typed, errors: err.fields, status: 400, standing });
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
  return { ...config, minMessages: String(config.minMessages), waitingDays: String(config.waitingDays) };
}

async function sendSaved(deps: Deps, req: Request, res: Response) {
  const userId = currentUser(req).id;
  const [standing, next] = await Promise.all([getStanding(deps, { userId }), deps.findNextDigest({ userId })]);
  const { config } = standing;
  const text = next && `The next digest is ${nextWords(next, { now: deps.clock.now(), timezone: config.timezone })}.`;
  const saved = text ? `Saved. ${text}` : 'Saved';
  if (isHtmx(req)) {
    const { effect } = await deps.readSettingsContext({ userId, standing });
    const form = formData(deps, typedOf(config), {}, { saved, effect });
    // The block is beside the form only once there is a next digest.
    return deps.render.fragment(res, 'settings/_formUpdate', { ...form, hasNext: next !== undefined });
  }
  setFlash(req, { tone: 'ok', title: 'Saved', ...(text && { text }) });
  res.redirect(303, '/settings');
}

type Shown = { typed: Typed; errors: Record<string, string>; status: number; standing: Standing };

async function showSettings(deps: Deps, req: Request, res: Response, { typed, errors, status, standing }: Shown) {
  const user = currentUser(req);
  const owner = { userId: user.id };
  const formOf = (effect: Effect) => formData(deps, typed, errors, { saved: '', effect });
  if (isHtmx(req)) {
    const { effect } = await deps.readSettingsContext({ ...owner, standing });
    return deps.render.fragment(res, 'settings/_form', formOf(effect), status);
  }
  const [{ connections, effect }, crm, mail, weekMail] = await Promise.all([
    deps.readSettingsContext({ ...owner, standing }),
    deps.showCrm({ ...owner, timezone: standing.config.timezone }),
    deps.showMail(user, standing.mailMode),
    deps.showWeekMail(user, standing),
  ]);
  const title = status === 400 ? 'Error: Settings' : 'Settings';
  const data = { form: formOf(effect), connections, crm, mail, weekMail, next: effect.next };
  deps.render.page(res, 'settings/index', data, { title, status, nav: 'settings' });
}

type FormContext = { saved: string; effect: Effect };

function formData(deps: Deps, typed: Typed, errors: Record<string, string>, { saved, effect }: FormContext) {
  return {
    typed,
    errors,
    saved,
    effect,
    styles: presentStyles(typed.summaryStyle, { hasModel: deps.aiService !== undefined }),
    waits: presentWaits(typed.waitingDays),
    languages: deps.aiService && languagesOf(deps, typed),
    zones: zonesWith(typed.timezone, deps.clock.now()),
  };
}

/** What is in the CRM is read by colleagues: its language is chosen on its own. */
function languagesOf({ crm }: Deps, { digestLanguage, crmLanguage }: Typed) {
  return { pages: presentLanguages(digestLanguage), crm: crm && presentLanguages(crmLanguage) };
}
