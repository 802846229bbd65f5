import type { Deps } from './deps.ts';
import { admitToken, countUse, createUses, type Uses } from './features/assistants/tokens/service.ts';
import { notify } from './features/base/alerts/service.ts';
import { authenticate } from './features/base/users/service.ts';
import { describeLinks } from './features/contacts/matching/describeLinks.ts';
import { forgetLinks } from './features/contacts/service.ts';
import { isStarting } from './features/pages/onboarding/service.ts';
import { countToday } from './features/pages/today/countToday.ts';
import { countNavigation } from './features/pages/today/service.ts';
import { getSyncPanel } from './features/sync/currentPanel.ts';
import { presentLine } from './features/sync/present.ts';
import { triggerSync } from './features/sync/service.ts';
import type { UserKey } from './lib/db.ts';

/** Queries across features that pages and http/ can't import; passed in by app.ts. */
export function createLookups(deps: Deps) {
  const uses = createUses(deps);
  return {
    authenticate: (token: string) => authenticate(deps, token),
    admitToken: tokenAdmission({ ...deps, uses }),
    announceSignUp: (about: UserKey) => notify(deps, { level: 'info', source: 'users', kind: 'USER_SIGNED_UP', about }),
    countNavigation: (owner: UserKey) => countNavigation(deps, owner),
    countToday: (about: Parameters<typeof countToday>[1]) => countToday(deps, about),
    describeLinks: (about: UserKey & { dialogIds: string[] }) => describeLinks(deps, about),
    forgetLinks,
    isStarting: (owner: UserKey) => isStarting(deps, owner),
    services: servicesOf(deps),
    startSync: (owner: UserKey) => triggerSync(deps, owner),
    syncLine: async ({ userId }: UserKey) => presentLine(await getSyncPanel(deps, userId)),
    uses,
  };
}

/** Admits a token for http/: whose it is, and how to count its use. */
function tokenAdmission(deps: Deps & { uses: Uses }) {
  return async (request: Parameters<typeof admitToken>[1]) => {
    const bearer = await admitToken(deps, request);
    return { user: bearer.user, countUse: () => countUse(deps, bearer, request) };
  };
}

/** Services that receive data, for the privacy page. */
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
  const crmOrigin = crm && !crm.ownKey && new URL(crm.authorizationUrl({ redirectUri: config.appUrl, state: '' })).origin;
  return [...(crmOrigin ? [crmOrigin] : []), ...(payments?.pageOrigins ?? [])];
}
