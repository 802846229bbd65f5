import type { Deps } from './deps.ts';
import { getHeldChoices } from './features/consent/service.ts';
import { listDialogs } from './features/dialogs/repo.ts';
import { countByAccount } from './features/dialogs/rules.ts';
import { countDigestsOfDay, findNewestSummary, listDigestDays } from './features/digests/repo.ts';
import { describeEffect, listRecentLoads } from './features/forecast/describeEffect.ts';
import { accountName, presentAccount } from './features/messenger/present.ts';
import { activeOf } from './features/messenger/rules.ts';
import { listAccounts } from './features/messenger/service.ts';
import { countWaitingNotes } from './features/notes/service.ts';
import { findLastWritten } from './features/notes/standingRepo.ts';
import type { Standing } from './features/settings/schema.ts';
import { getSettings } from './features/settings/service.ts';
import { NotFound } from './lib/errors.ts';
import { dayBefore, localDay } from './lib/timezones.ts';

/*
 * What a feature's page shows of features to its right, which it can't import: app.ts hands these in as functions.
 */

/** What the settings page shows of the accounts and of what the settings come to: it stands left of all this. */
export function besideSettings(deps: Deps) {
  return async ({ userId, standing }: { userId: string; standing: Standing }) => {
    const now = deps.clock.now();
    const { timezone } = standing.config;
    const [accounts, dialogs, loads, held] = await Promise.all([
      listAccounts(deps, { userId }),
      listDialogs(deps.db, userId),
      listRecentLoads(deps, { userId, timezone }),
      getHeldChoices(deps, { userId }),
    ]);
    const { aiService } = deps;
    const context = { now, timezone, aiService, held, conversations: countByAccount(dialogs) };
    return {
      connections: accounts.map(account => presentAccount(account, context)),
      effect: describeEffect(standing, { accounts, dialogs, loads, now }),
    };
  };
}

/** Whose digests the question of who writes them is about: the accounts stand right of it. */
export function accountNameOf(deps: Deps) {
  return async ({ userId, accountId }: { userId: string; accountId: string }) => {
    const accounts = await listAccounts(deps, { userId });
    const account = accounts.find(({ id, status }) => id === accountId && status !== 'inactive');
    if (!account) throw new NotFound('connection');
    return accountName(account);
  };
}

/** What the page of the plan says of the present day. */
export function usageOf({ db, clock }: Deps) {
  return async ({ userId, timezone }: { userId: string; timezone: string }) => {
    const date = localDay(clock.now(), timezone);
    const [conversationsPerDay, accounts] = await Promise.all([
      countDigestsOfDay(db, { userId, date }),
      listAccounts({ db }, { userId }),
    ]);
    return { conversationsPerDay, messengerAccounts: activeOf(accounts).length };
  };
}

/** What the settings of mails say of the last two weeks: the digests stand to their right. */
export function urgentDaysOf({ db, clock }: Deps) {
  return async ({ userId }: { userId: string }) => {
    const until = localDay(clock.now(), 'UTC');
    const days = await listDigestDays(db, { userId, since: dayBefore(until, 13), until });
    return { days: days.length, urgent: days.filter(day => day.urgent > 0).length };
  };
}

/** What the page of contacts shows of the digests: they stand to its right. */
export function lastDigestOf({ db }: Deps) {
  return async (about: { userId: string; dialogId: string }) => {
    const digest = await findNewestSummary(db, about);
    if (!digest) return undefined;
    const { language } = digest.structured;
    return {
      summary: digest.summary,
      day: digest.digestDate,
      language: language === 'und' ? undefined : language,
    };
  };
}

/** What the CRM's section shows of features to its right and beside it. */
export function crmContextOf(deps: Deps) {
  return async ({ userId, timezone: known }: { userId: string; timezone?: string }) => {
    const [timezone, waiting, lastNoteAt] = await Promise.all([
      known ?? getSettings(deps, { userId }).then(settings => settings.timezone),
      countWaitingNotes(deps, { userId }),
      findLastWritten(deps.db, userId),
    ]);
    return { timezone, waiting, lastNoteAt };
  };
}
