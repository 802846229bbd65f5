import type { Deps } from './deps.ts';
import { admitToken, countUse, createUses, type Uses } from './features/assistants/tokens/service.ts';
import { notify } from './features/base/alerts/service.ts';
import { mailSection, weekMailSection } from './features/base/mailing/pages.ts';
import type { MailMode, Standing } from './features/base/settings/schema.ts';
import { getSettings } from './features/base/settings/service.ts';
import { authenticate } from './features/base/users/service.ts';
import { describeLinks } from './features/contacts/matching/describeLinks.ts';
import { forgetLinks } from './features/contacts/service.ts';
import { crmSection } from './features/crm/pages.ts';
import { describeExchanges, exchangesIn } from './features/digests/describeExchanges.ts';
import { languageOf } from './features/digests/present.ts';
import { countDigestsOfDay, findNewestSummary, listDigestDays } from './features/digests/repo.ts';
import { getHeldChoices } from './features/messenger/consent/service.ts';
import { countDialogs } from './features/messenger/dialogs/repo.ts';
import { countByAccount } from './features/messenger/dialogs/rules.ts';
import { accountName, presentAccount } from './features/messenger/present.ts';
import { listAccounts } from './features/messenger/repo.ts';
import { activeOf } from './features/messenger/rules.ts';
import { getStanding } from './features/outbox/notes/repo.ts';
import { isStarting } from './features/pages/onboarding/service.ts';
import { countToday } from './features/pages/today/countToday.ts';
import { countNavigation } from './features/pages/today/service.ts';
import { describeEffect } from './features/sync/present.ts';
import { listRecentLoads, nextSyncAt, triggerSync } from './features/sync/service.ts';
import { NotFound } from './lib/errors.ts';
import { dayBefore, localDay } from './lib/timezones.ts';

/**
 * What a feature's page shows of houses below its own, which it can't import, and what http/ needs from features:
 * app.ts passes these in as functions.
 */
export function lookups(deps: Deps) {
  const mail = { ...deps, countUrgentDays: urgentDaysOf(deps) };
  const crm = { ...deps, contextOf: crmContextOf(deps) };
  const uses = createUses(deps);
  return {
    authenticate: (token: string) => authenticate(deps, token),
    admitToken: tokensDoor({ ...deps, uses }),
    announceSignUp: (about: Owner) => notify(deps, { level: 'info', source: 'users', kind: 'USER_SIGNED_UP', about }),
    count: (owner: Owner) => countNavigation(deps, owner),
    countToday: (about: Parameters<typeof countToday>[1]) => countToday(deps, about),
    countUrgentDays: mail.countUrgentDays,
    contextOf: crm.contextOf,
    describeLinks: (about: Owner & { dialogIds: string[] }) => describeLinks(deps, about),
    findLastDigest: lastDigestOf(deps),
    findNextDigest: (owner: Owner) => nextSyncAt(deps, owner),
    forgetLinks,
    getAccountName: accountNameOf(deps),
    isStarting: (owner: Owner) => isStarting(deps, owner),
    readSettingsContext: settingsContextOf(deps),
    services: servicesOf(deps),
    showCrm: (owner: Owner & { timezone: string }) => crmSection(crm, owner),
    showMail: (reader: Reader, mode: MailMode) => mailSection(mail, reader, { mode }),
    showWeekMail: (reader: Reader, standing: Standing) => weekMailSection(mail, reader, { standing }),
    startSync: (owner: Owner) => triggerSync(deps, owner),
    timezoneOf: async (owner: Owner) => (await getSettings(deps, owner)).timezone,
    usageOf: usageOf(deps),
    uses,
  };
}

type Owner = { userId: string };
type Reader = { id: string; email: string };

/** What http/ needs to know of a token. */
function tokensDoor(deps: Deps & { uses: Uses }) {
  return async (asked: Parameters<typeof admitToken>[1]) => {
    const bearer = await admitToken(deps, asked);
    return { user: bearer.user, countUse: () => countUse(deps, bearer, asked) };
  };
}

/** What the settings page shows about the accounts and the effect of the settings: its house is above all this. */
function settingsContextOf(deps: Deps) {
  return async ({ userId, standing }: { userId: string; standing: Standing }) => {
    const now = deps.clock.now();
    const { timezone } = standing.config;
    const [accounts, dialogs, loads, held] = await Promise.all([
      listAccounts(deps.db, userId),
      countDialogs(deps.db, userId),
      listRecentLoads(deps, { userId, config: standing.config }),
      getHeldChoices(deps, { userId }),
    ]);
    const { aiService } = deps;
    const context = { now, timezone, aiService, held, conversations: countByAccount(dialogs, standing.config) };
    return {
      connections: accounts.map(account => presentAccount(account, context)),
      effect: describeEffect(standing, { accounts, dialogs, loads, now }),
    };
  };
}

/** The account named in the question of who writes its digests: consent can’t import accounts. */
function accountNameOf(deps: Deps) {
  return async ({ userId, accountId }: { userId: string; accountId: string }) => {
    const accounts = await listAccounts(deps.db, userId);
    const account = accounts.find(({ id, status }) => id === accountId && status !== 'inactive');
    if (!account) throw new NotFound('connection');
    return accountName(account);
  };
}

/** What the plan's page says about today's usage. */
function usageOf({ db, clock }: Deps) {
  return async ({ userId, timezone }: { userId: string; timezone: string }) => {
    const date = localDay(clock.now(), timezone);
    const [conversationsPerDay, accounts] = await Promise.all([
      countDigestsOfDay(db, { userId, date }),
      listAccounts(db, userId),
    ]);
    return { conversationsPerDay, messengerAccounts: activeOf(accounts).length };
  };
}

/** What the mail settings say about the last two weeks: they can’t import digests. */
function urgentDaysOf({ db, clock }: Deps) {
  return async ({ userId }: { userId: string }) => {
    const until = localDay(clock.now(), 'UTC');
    const days = await listDigestDays(db, { userId, since: dayBefore(until, 13), until });
    return { days: days.length, urgent: days.filter(day => day.urgent > 0).length };
  };
}

/** What the contacts page shows of the last digest: it can’t import digests. */
function lastDigestOf(deps: Deps) {
  return async (about: { userId: string; dialogId: string }) => {
    const [digest, { timezone }] = await Promise.all([findNewestSummary(deps.db, about), getSettings(deps, about)]);
    if (!digest) return undefined;
    const { digestDate: day } = digest;
    return {
      summary: digest.summary,
      exchanges: describeExchanges(exchangesIn(digest, timezone) ?? [], { today: day, day }),
      day,
      language: languageOf(digest),
    };
  };
}

/** What the CRM's section shows of houses below it and beside it. */
function crmContextOf(deps: Deps) {
  return async ({ userId, timezone: known }: { userId: string; timezone?: string }) => {
    const [timezone, standing] = await Promise.all([
      known ?? getSettings(deps, { userId }).then(settings => settings.timezone),
      getStanding(deps.db, userId),
    ]);
    return { timezone, ...standing };
  };
}

/** Which services get to see data, for the privacy page. */
function servicesOf({ config, aiService, crm, payments, mailer, alertBot }: Deps) {
  const { mail } = config;
  const host = (url: string | undefined) => url && new URL(url).host;
  return {
    ai: aiService,
    hasCrm: crm !== undefined,
    hasPayments: payments !== undefined,
    mailHost: mailer && host(mail.url),
    hasAlertBot: alertBot !== undefined,
    hasRedis: config.redisUrl !== undefined,
  };
}

/** Origins a form may lead to: signing in continues to the CRM when the person was about to connect it. */
export function formTargets({ crm, payments, config }: Deps): string[] {
  const crmOrigin =
    crm && !crm.ownKey && new URL(crm.authorizationUrl({ redirectUri: config.appUrl, state: '' })).origin;
  return [...(crmOrigin ? [crmOrigin] : []), ...(payments?.pageOrigins ?? [])];
}
