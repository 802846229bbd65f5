import { fileURLToPath } from 'node:url';
import { type Express, type Request, Router } from 'express';
import type { Deps } from './deps.ts';
import { mcpApi } from './features/assistants/mcp/api.ts';
import { assistantsPages, connectedAppsPages } from './features/assistants/pages.ts';
import { findLinkOwner, oneClickUnsubscribe, unsubscribePages } from './features/base/mailing/pages.ts';
import { settingsApi } from './features/base/settings/api.ts';
import { linkSignInApi, signInApi, usersApi } from './features/base/users/api.ts';
import { keepTyped, mailLinkErrors, mailSignInPages, signInErrors, signInPage } from './features/base/users/pages.ts';
import { paymentWebhook } from './features/billing/webhook.ts';
import { contactsApi } from './features/contacts/api.ts';
import { crmWebhook } from './features/crm/webhook.ts';
import { accountPages, deletionPages } from './features/data/account/pages.ts';
import { digestDeletionApi } from './features/data/digestDeletion/api.ts';
import { digestDeletionPages } from './features/data/digestDeletion/pages.ts';
import { privacyPages } from './features/data/privacy/pages.ts';
import { digestsApi } from './features/digests/api.ts';
import { messengerApi } from './features/messenger/api.ts';
import { prominencePages } from './features/messenger/dialogs/pages.ts';
import { messengerLoginApi } from './features/messenger/login/api.ts';
import { messengerLoginPages } from './features/messenger/login/pages.ts';
import { messengerPages } from './features/messenger/pages.ts';
import { adminApi } from './features/operator/admin/api.ts';
import { createMetrics } from './features/operator/admin/createMetrics.ts';
import { adminPages } from './features/operator/admin/pages.ts';
import { tasksPages } from './features/outbox/tasks/pages.ts';
import { askApi } from './features/pages/ask/api.ts';
import { askPages } from './features/pages/ask/pages.ts';
import { briefApi } from './features/pages/brief/api.ts';
import { briefPages } from './features/pages/brief/pages.ts';
import { conversationPages } from './features/pages/conversation/pages.ts';
import { onboardingPages } from './features/pages/onboarding/pages.ts';
import { reviewPages } from './features/pages/review/pages.ts';
import { settingsPages } from './features/pages/settings/pages.ts';
import { crmOauthPages } from './features/pages/settings/routeCrm.ts';
import { todayPages } from './features/pages/today/pages.ts';
import { weekPages } from './features/pages/week/pages.ts';
import { promisesApi } from './features/promises/api.ts';
import { calendarApi } from './features/promises/calendar/api.ts';
import { promisePages } from './features/promises/list/pages.ts';
import { waitingApi } from './features/promises/waiting/api.ts';
import { syncApi } from './features/sync/api.ts';
import { syncPages } from './features/sync/pages.ts';
import { showsAdminKey } from './http/adminKey.ts';
import { createAssets } from './http/assets.ts';
import { answerErrors, answerNotFound, answerWithPages, exceptApi } from './http/errors.ts';
import * as http from './http/express.ts';
import { healthRoutes } from './http/health.ts';
import { attachNavigationCounts } from './http/navigation.ts';
import { openapiPages } from './http/openapi/pages.ts';
import * as rateLimits from './http/rateLimit.ts';
import { createRenderer } from './http/render.ts';
import { identify } from './http/request.ts';
import { requestLog, timeRequests } from './http/requestLog.ts';
import { loopbackOnly, sameOriginOnly } from './http/sameOrigin.ts';
import { createSessionCookie } from './http/sessionCookie.ts';
import type { ShortLivedSessions } from './http/shortLivedSession.ts';
import { createReadLimiter } from './lib/readLimiter.ts';
import { createLookups, formTargets } from './lookups.ts';
import { describeApi } from './openapi.ts';

const APP_NAME = 'Forenoon';
const resolveFolder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Addresses under /api that people open in a browser. */
const OPENED_IN_BROWSER = ['/api/crm/connect', '/api/crm/callback'];
/** Addresses under /api to which pages send forms. */
const FORMS_OF_PAGES = ['/api/auth/signin', '/api/auth/callback', '/api/auth/signout'];

/** Whether a page costs as much to read as a change: a brief, an export, or a question or search (words in `q`). */
const isCostly = ({ path, query }: Request) => /^\/brief\/|\/export\/?$/i.test(path) || (query.q ?? '') !== '';

/** The site map: every middleware in order, and every router, the most requested ones first. */
export function createApp(deps: Deps, shortLivedSessions: ShortLivedSessions): Express {
  const { config, log } = deps;
  const { limits, mode } = config;
  const https = config.appUrl.startsWith('https:');
  const assets = createAssets({ publicDir: resolveFolder('public') });
  const render = createRenderer({
    viewsDir: resolveFolder('views'),
    cache: mode !== 'development',
    strict: mode !== 'production',
    assetUrl: assets.url,
    appName: APP_NAME,
    sandboxUrl: config.sandboxUrl,
  });
  const site = {
    ...deps,
    ...createLookups(deps),
    render,
    metrics: createMetrics(),
    sessionCookie: createSessionCookie({ https }),
    readLimiter: createReadLimiter(),
    forgetBrowserSessions: shortLivedSessions.forgetUser,
    devSignIn: mode !== 'production',
    mailSignIn: deps.mailer !== undefined,
    // Sign-in links come by mail or, for the owner, from the terminal.
    linkSignIn: deps.mailer !== undefined || config.ownerEmail !== undefined,
  };
  const readBody = http.createBodyParsers({ longForms: ['/contacts/bulk', '/settings/apps/tokens/:id/reading'] });
  // The tokens of one user share a counter.
  const limitTokens = rateLimits.tokenRateLimit({ perMinute: limits.tokensPerMinute });
  const limitFailures = rateLimits.failureRateLimit({ perMinute: limits.apiPerMinute });
  const limitPages = rateLimits.pageRateLimit({
    perMinute: limits.pagesPerMinute,
    isCostly,
    findHolder: req => findLinkOwner(site, req),
  });
  const limitOperator = (perMinute: number) =>
    rateLimits.minuteLimit({
      name: 'operator',
      perMinute,
      findHolder: req => (showsAdminKey(req, site.adminKey) ? 'operator' : undefined),
    });
  const app = http.createExpress({ trustProxy: config.trustProxy });

  app.use(requestLog(log));
  app.use('/api', http.apiVersion);
  if (mode !== 'production') app.use(loopbackOnly);
  app.use(timeRequests(site.metrics.observe));
  app.use(http.securityHeaders({ https, formTargets: formTargets(deps) }));
  app.use(http.compress());
  healthRoutes(app, deps);
  app.use(assets.routes);
  if (mode === 'production') app.use(http.warnOfForgottenProxy({ log, https }));

  // For the operator and other services, which have no session.
  app.use('/api/admin', limitOperator(limits.apiPerMinute));
  app.use(['/status', '/metrics'], limitOperator(limits.operatorPerMinute));
  adminApi(app, site);
  adminPages(app, site);
  paymentWebhook(app, site);
  crmWebhook(app, { ...site, limitFailures });
  mcpApi(app, { ...site, limitTokens });
  app.use(calendarApi(site, { perMinute: limits.calendarPerMinute }));
  app.use('/mail/unsubscribe', limitPages);
  oneClickUnsubscribe(app, site);

  // Before the session is looked up, which may fail.
  app.use(OPENED_IN_BROWSER, answerWithPages(['html', 'json']));
  app.use(FORMS_OF_PAGES, answerWithPages(['json', 'html']));
  app.use(sameOriginOnly(config));
  app.use(http.inParallel(identify(site), exceptApi(shortLivedSessions.forWrites)));

  const api = Router();
  api.use(http.skipOutsideApi);
  linkSignInApi(api, { ...site, readBody, limitFailures });
  api.use(rateLimits.apiRateLimit({ perMinute: limits.apiPerMinute }), limitTokens);
  api.use(keepTyped(readBody));
  // Registered before the body parsers: these take no body.
  digestsApi(api, site);
  openapiPages(api, { render, describe: () => describeApi({ appName: APP_NAME }) });
  api.use(readBody);
  usersApi(api, site);
  signInApi(api, site);
  api.use(signInErrors(site));
  api.use(mailLinkErrors(site));
  settingsApi(api, site);
  messengerLoginApi(api, site);
  messengerApi(api, site);
  digestDeletionApi(api, site);
  contactsApi(api, site);
  syncApi(api, site);
  promisesApi(api, site);
  waitingApi(api, site);
  api.use(askApi(site));
  briefApi(api, site);
  api.use(OPENED_IN_BROWSER, shortLivedSessions.middleware);
  crmOauthPages(api, site);
  api.use(answerNotFound);
  app.use(api);

  app.use(limitPages);
  app.use(readBody);
  app.use(attachNavigationCounts(site));
  onboardingPages(app, site);
  app.use(todayPages(site));
  syncPages(app, site);
  promisePages(app, site);
  tasksPages(app, site);
  app.use(weekPages(site));
  app.use(askPages(site));
  briefPages(app, site);
  conversationPages(app, site);
  digestDeletionPages(app, site);
  prominencePages(app, site);
  reviewPages(app, site);
  signInPage(app, site);
  if (site.linkSignIn) mailSignInPages(app, site);
  settingsPages(app, site);
  unsubscribePages(app, site);
  messengerLoginPages(app, site);
  messengerPages(app, site);
  // Exports and deletions may take longer than other requests.
  const slowSite = { ...site, db: deps.slowDb };
  accountPages(app, slowSite);
  assistantsPages(app, site);
  connectedAppsPages(app, site);
  privacyPages(app, site);
  deletionPages(app, slowSite);

  app.use(answerNotFound);
  app.use(rateLimits.limitWrongTokens(limitFailures));
  app.use(answerErrors({ log, renderError: render.error }));
  return app;
}
