import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { chooseTheme, type Renderer, setFlash } from '../../../http/render.ts';
import { currentUser, fieldErrors, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { addDays, localDay, subtractDays } from '../../../lib/timezones.ts';
import { formatUpcoming } from '../../../lib/words.ts';
import { presentMail, presentWeekMailSection } from '../../base/mailing/present.ts';
import { mailForm, weekMailForm } from '../../base/mailing/schema.ts';
import { changeMailMode, changeWeekMail, getWeekMail } from '../../base/mailing/service.ts';
import { presentLanguages, presentStyles, presentWaitingDays, zonesWith } from '../../base/settings/present.ts';
import { type MailMode, pageInput, type SettingsWithSchedule, type SyncConfig } from '../../base/settings/schema.ts';
import { getSettings, getSettingsWithSchedule, updateSettings } from '../../base/settings/service.ts';
import { listDigestDays } from '../../digests/repo.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getActiveChoices } from '../../messenger/consent/service.ts';
import { countDialogs } from '../../messenger/dialogs/repo.ts';
import { countByAccount } from '../../messenger/dialogs/rules.ts';
import { presentAccount } from '../../messenger/present.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { describeEffect, type Effect } from '../../sync/present.ts';
import { findNextSync, listRecentLoads } from '../../sync/service.ts';
import { routeBilling } from './routeBilling.ts';
import { crmSection, routeCrm } from './routeCrm.ts';

/** Without `aiService`, languages are not offered; without `crm`, nothing is written to one. */
type Deps = Parameters<typeof mailPages>[1] & Parameters<typeof routeCrm>[1] & { aiService: AiService | undefined };

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

type SettingsForm = z.output<typeof settingsForm>;

const themeForm = z.object({ theme: z.enum(['light', 'dark', 'system']) });

/** The settings page with its parts: emails, CRM, and the plan on a page of its own. */
export function settingsPages(pages: IRouter, deps: Deps & Parameters<typeof routeBilling>[1]): void {
  mailPages(pages, deps);
  routeCrm(pages, deps);
  routeBilling(pages, deps);

  pages.get('/settings', requireUser, async (req, res) => {
    const standing = await getSettingsWithSchedule(deps, { userId: currentUser(req).id });
    await showSettings(deps, req, res, { typed: formValues(standing.config), errors: {}, status: 200, standing });
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
      const errors = fieldErrors(err);
      const standing = await getSettingsWithSchedule(deps, { userId: currentUser(req).id });
      await showSettings(deps, req, res, { typed, errors, status: 400, standing });
    }
  });

  pages.post('/settings/theme', requireUser, (req, res) => {
    const { theme } = parseInput(themeForm, req.body);
    chooseTheme(req, res, theme === 'system' ? undefined : theme);
    res.redirect(303, '/settings#appearance');
  });
}

function formValues(config: SyncConfig): SettingsForm {
  return { ...config, minMessages: String(config.minMessages), waitingDays: String(config.waitingDays) };
}

async function sendSaved(deps: Deps, req: Request, res: Response) {
  const userId = currentUser(req).id;
  const [standing, accounts] = await Promise.all([getSettingsWithSchedule(deps, { userId }), listAccounts(deps.db, userId)]);
  const { config } = standing;
  const next = findNextSync(accounts, standing.nextRunAt);
  const text = next && `The next digest is ${formatUpcoming(next, { now: deps.clock.now(), timezone: config.timezone })}.`;
  const saved = text ? `Saved. ${text}` : 'Saved';
  if (isHtmx(req)) {
    const { effect } = await readContext(deps, { userId, standing });
    const form = formData(deps, formValues(config), {}, { saved, effect });
    // The block is beside the form only once there is a next digest.
    return deps.render.fragment(res, 'settings/_formUpdate', { ...form, hasNext: next !== undefined });
  }
  setFlash(req, { tone: 'ok', title: 'Saved', ...(text && { text }) });
  res.redirect(303, '/settings');
}

/** The accounts, and the effect of the settings in words. */
async function readContext(deps: Deps, { userId, standing }: { userId: string; standing: SettingsWithSchedule }) {
  const now = deps.clock.now();
  const { timezone } = standing.config;
  const [accounts, dialogs, loads, choices] = await Promise.all([
    listAccounts(deps.db, userId),
    countDialogs(deps.db, userId),
    listRecentLoads(deps, { userId, config: standing.config }),
    getActiveChoices(deps, { userId }),
  ]);
  const { aiService } = deps;
  const context = { now, timezone, aiService, choices, conversations: countByAccount(dialogs, standing.config) };
  return {
    connections: accounts.map(account => presentAccount(account, context)),
    effect: describeEffect(standing, { accounts, dialogs, loads, now }),
  };
}

type SettingsView = { typed: SettingsForm; errors: Record<string, string>; status: number; standing: SettingsWithSchedule };

async function showSettings(deps: Deps, req: Request, res: Response, view: SettingsView) {
  const { typed, errors, status, standing } = view;
  const user = currentUser(req);
  const owner = { userId: user.id };
  const { connections, effect } = await readContext(deps, { ...owner, standing });
  const form = formData(deps, typed, errors, { saved: '', effect });
  if (isHtmx(req)) return deps.render.fragment(res, 'settings/_form', form, status);
  const [crm, mail, weekMail] = await Promise.all([
    crmSection(deps, owner),
    mailSection(deps, user, standing.mailMode),
    weekMailSection(deps, user, standing.config.timezone),
  ]);
  const data = { form, connections, crm, mail, weekMail, next: effect.next };
  deps.render.page(res, 'settings/index', data, { title: 'Settings', isRefused: status === 400, nav: 'settings' });
}

function formData(
  deps: Deps,
  typed: SettingsForm,
  errors: Record<string, string>,
  { saved, effect }: { saved: string; effect: Effect },
) {
  return {
    typed,
    errors,
    saved,
    effect,
    styles: presentStyles(typed.summaryStyle, { hasModel: deps.aiService !== undefined }),
    waits: presentWaitingDays(typed.waitingDays),
    // Colleagues read the notes in the CRM, so their language is chosen separately.
    languages: deps.aiService && {
      pages: presentLanguages(typed.digestLanguage),
      crm: deps.crm && presentLanguages(typed.crmLanguage),
    },
    zones: zonesWith(typed.timezone, deps.clock.now()),
  };
}

type MailSectionDeps = Timed & {
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
  /** Undefined where no model writes: nothing is ever urgent then. */
  aiService: object | undefined;
};

type Reader = { id: string; email: string };

function mailPages(pages: IRouter, deps: MailSectionDeps & { render: Renderer }): void {
  pages.post('/settings/mail', requireUser, async (req, res) => {
    const reader = currentUser(req);
    const { mailDigests: mode } = parseInput(mailForm, req.body ?? {});
    await changeMailMode(deps, { userId: reader.id, mode });
    if (isHtmx(req)) {
      return deps.render.fragment(res, 'settings/_mail', await mailSection(deps, reader, mode, 'Saved'));
    }
    setFlash(req, { tone: 'ok', title: 'Saved' });
    // A full page load shows the outcome at the top.
    res.redirect(303, '/settings');
  });

  pages.post('/settings/week-mail', requireUser, async (req, res) => {
    const reader = currentUser(req);
    const weekMail = parseInput(weekMailForm, req.body ?? {});
    await changeWeekMail(deps, { userId: reader.id, weekMail });
    const { timezone } = await getSettings(deps, { userId: reader.id });
    const section = await weekMailSection(deps, reader, timezone, true);
    if (isHtmx(req)) return deps.render.fragment(res, 'settings/_weekMail', section);
    setFlash(req, { tone: 'ok', title: 'Saved', ...(section.next && { text: section.next }) });
    res.redirect(303, '/settings');
  });
}

async function mailSection(deps: MailSectionDeps, { id: userId, email }: Reader, mode: MailMode, saved = '') {
  // East of UTC, digests may be a day ahead of it.
  const until = addDays(localDay(deps.clock.now(), 'UTC'), 1);
  const days = await listDigestDays(deps.db, { userId, since: subtractDays(until, 14), until });
  // Days with something urgent, among the days with digests of the last two weeks.
  const past = { days: days.length, urgent: days.filter(day => day.urgent > 0).length };
  return presentMail({
    mode,
    email,
    past,
    saved,
    isConfigured: deps.mailer !== undefined,
    hasModel: deps.aiService !== undefined,
  });
}

async function weekMailSection(deps: MailSectionDeps, { id: userId, email }: Reader, timezone: string, isSaved = false) {
  const weekMail = await getWeekMail(deps, { userId });
  const isConfigured = deps.mailer !== undefined;
  return presentWeekMailSection({ weekMail, email, timezone, now: deps.clock.now(), isConfigured, isSaved });
}
