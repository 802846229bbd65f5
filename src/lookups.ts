import type { Deps } from './deps.ts';
import { getConnection } from './features/crm/service.ts';
import { countDigestsOfDay, findNewestSummary, listDigestDays } from './features/digests/repo.ts';
import { presentAccount } from './features/messenger/presentAccount.ts';
import { activeOf } from './features/messenger/rules.ts';
import { countConversations, listAccounts } from './features/messenger/service.ts';
import { countWaitingNotes } from './features/notes/service.ts';
import { findLastWritten } from './features/notes/standingRepo.ts';
import { getSettings } from './features/settings/service.ts';
import { dayBefore, localDay } from './lib/timezones.ts';

/*
 * What a feature's page shows of features to its right, which it can't import: app.ts hands these in as functions.
 */

/** What the settings page shows of the accounts: it stands left of the feature that has them. */
export function connectionsOf(deps: Deps, aiModel: string | undefined) {
  return async (about: { userId: string; timezone: string }) => {
    const [accounts, conversations] = await Promise.all([listAccounts(deps, about), countConversations(deps, about)]);
    const context = { now: deps.clock.now(), timezone: about.timezone, aiModel, conversations };
    return accounts.map(account => presentAccount(account, context));
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
  return async (owner: { userId: string }) => {
    const [{ timezone }, { portalId }, waiting] = await Promise.all([
      getSettings(deps, owner),
      getConnection(deps, owner),
      countWaitingNotes(deps, owner),
    ]);
    return { timezone, waiting, lastNoteAt: await findLastWritten(deps.db, { ...owner, portalId }) };
  };
}
