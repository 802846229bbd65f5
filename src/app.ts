import { fileURLToPath } from 'node:url';
import { constants } from 'node:zlib';
import compression from 'compression';
import express, { type Express } from 'express';
import type { Deps } from './deps.ts';
import { accountPages } from './features/account/pages.ts';
import { adminApi } from './features/admin/api.ts';
import { createMetrics } from './features/admin/createMetrics.ts';
import { adminPages } from './features/admin/pages.ts';
import { notify } from './features/alerts/service.ts';
import { billingPages } from './features/billing/pages.ts';
import { paymentWebhook } from './features/billing/webhook.ts';
import { consentPages } from './features/consent/pages.ts';
import { contactsApi } from './features/contacts/api.ts';
import { forgetLinks } from './features/contacts/service.ts';
import { conversationPages } from './features/conversation/pages.ts';
import { crmOauthPages, crmPages, crmSection } from './features/crm/pages.ts';
import { crmWebhook } from './features/crmWebhooks/webhook.ts';
import { deletionPages } from './features/deletion/pages.ts';
import { digestsApi } from './features/digests/api.ts';
import { mailPages, mailSection, unsubscribeDoor, unsubscribePages } from './features/mailSettings/pages.ts';
import { describeLinks } from './features/matching/describeLinks.ts';
import { messengerApi } from './features/messenger/api.ts';
import { messengerPages } from './features/messenger/pages.ts';
import { messengerLoginApi } from './features/messengerLogin/api.ts';
import { messengerLoginPages } from './features/messengerLogin/pages.ts';
import { startPages } from './features/onboarding/pages.ts';
import { isStarting } from './features/onboarding/service.ts';
import { privacyPages } from './features/privacy/pages.ts';
import { reviewPages } from './features/review/pages.ts';
import { countToReview } from './features/review/service.ts';
import { settingsApi } from './features/settings/api.ts';
import { settingsPages } from './features/settings/pages.ts';
import type { MailMode } from './features/settings/schema.ts';
import { getSettings } from './features/settings/service.ts';
import { signInApi } from './features/signIn/api.ts';
import { mailLinkErrors, mailSignInPages } from './features/signIn/pages.ts';
import { syncApi } from './features/sync/api.ts';
import { syncPages } from './features/sync/pages.ts';
import { nextSyncAt } from './features/sync/queueDailySyncs.ts';
import { triggerSync } from './features/sync/service.ts';
import { todayPages } from './features/today/pages.ts';
import { countToday } from './features/today/routeTicks.ts';
import { usersApi } from './features/users/api.ts';
import { signInErrors, usersPages } from './features/users/pages.ts';
import { authenticate } from './features/users/service.ts';
import { createAssets } from './http/assets.ts';
import { bodies } from './http/bodies.ts';
import type { BrowserSessions } from './http/browserSession.ts';
import { identify } from './http/currentUser.ts';
import { answerErrors, answerWithPages, isApi } from './http/errors.ts';
import { warnOfForgottenProxy } from './http/forgottenProxy.ts';
import { healthRoutes } from './http/health.ts';
import { countNavigation } from './http/navigation.ts';
import { openapiPages } from './http/openapi/pages.ts';
import { ownMachineOnly } from './http/ownMachineOnly.ts';
import { apiRateLimit, operatorRateLimit, pageRateLimit } from './http/rateLimit.ts';
import { createRenderer } from './http/render.ts';
import { requestLog } from './http/requestLog.ts';
import { timeRequests } from './http/requestTimes.ts';
import { sameOriginOnly } from './http/sameOrigin.ts';
import { securityHeaders } from './http/security.ts';
import { createSessionCookie } from './http/sessionCookie.ts';
import { sideBySide } from './http/sideBySide.ts';
import { NotFound } from './lib/errors.ts';
import { accountNameOf, besideSettings, crmContextOf, lastDigestOf, urgentDaysOf, usageOf } from './lookups.ts';
import { describeApi } from './openapi.ts';

const APP_NAME = 'Forenoon';
const FOLDER = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Where people arrive in a browser, although it is under /api. */
const ARRIVED_AT = ['/api/crm/connect', '/api/crm/callback'];

/** The site map: every middleware in its order, every router. */
export function createApp(deps: Deps, browserSessions: BrowserSessions): Express {
  const { config, log } = deps;
  const assets = createAssets({ publicDir: FOLDER('public') });
  const render = createRenderer({
    viewsDir: FOLDER('views'),
    cache: config.mode !== 'development',
    strict: config.mode !== 'production',
    assetUrl: assets.url,
    appName: APP_NAME,
    sandboxUrl: config.sandboxUrl,
  });
  const https = config.appUrl.startsWith('https:');
  const sessionCookie = createSessionCookie({ https });
  const signingIn = { devSignIn: config.mode !== 'production', mailSignIn: deps.mailer !== undefined };
  const app = express();
  app.disable('x-powered-by');
  // Answers are a person's own and never kept: hashing them would serve nobody. Assets are immutable anyway.
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);

  app.use(requestLog(log));
  app.use('/api', apiVersion);
  if (config.mode !== 'production') app.use(ownMachineOnly);
  const metrics = createMetrics();
  app.use(timeRequests(metrics.observe));
  app.use(securityHeaders({ https, formTargets: [...crmPageOrigins(deps), ...(deps.payments?.pageOrigins ?? [])] }));
  // At 5 a page is a tenth smaller than at the default of 4, for a millisecond.
  app.use(compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } }));
  app.use(healthRoutes(deps));
  app.use(assets.routes);
  if (config.mode === 'production') app.use(warnOfForgottenProxy({ log, https }));
  app.use('/api/admin', apiRateLimit({ perMinute: config.limits.apiPerMinute }));
  app.use(['/status', '/metrics'], operatorRateLimit({ perMinute: config.limits.operatorPerMinute }));
  app.use(adminApi({ ...deps, adminKey: config.admin.apiKey, metrics }));
  app.use(adminPages({ ...deps, adminKey: config.admin.apiKey, render }));
  app.use(paymentWebhook({ ...deps, prices: config.payments.prices }));
  app.use('/api/webhooks', apiRateLimit({ perMinute: config.limits.apiPerMinute }));
  app.use(crmWebhook({ ...deps, appUrl: config.appUrl, clientSecret: config.crm.clientSecret }));
  const limitPages = pageRateLimit({ perMinute: config.limits.pagesPerMinute });
  app.use('/mail/unsubscribe', limitPages);
  app.use(unsubscribeDoor({ ...deps, render }));
  app.use(sameOriginOnly(config));
  const whoAsks = identify({ authenticate: token => authenticate(deps, token), sessionCookie });
  app.use(sideBySide(whoAsks, unlessApi(browserSessions.ofActing)));

  const readBody = bodies();
  const api = express.Router();
  // Addresses of pages are not looked for in it.
  api.use((req, _res, next) => next(isApi(req) ? undefined : 'router'));
  api.use(ARRIVED_AT, answerWithPages);
  api.use(apiRateLimit({ perMinute: config.limits.apiPerMinute }));
  // Asked most often, and takes no body.
  api.use(digestsApi(deps));
  api.use(openapiPages({ render, describe: () => describeApi({ appName: APP_NAME }) }));
  api.use(readBody);
  const announceSignUp = (about: { userId: string }) =>
    notify(deps, { level: 'info', source: 'users', kind: 'USER_SIGNED_UP', about });
  api.use(
    usersApi({ ...deps, ...signingIn, sessionCookie, announceSignUp }),
    signInApi({ ...deps, ...signingIn, sessionCookie, announceSignUp }),
    signInErrors({ render, ...signingIn }),
    mailLinkErrors({ render }),
  );
  api.use(settingsApi(deps));
  api.use(messengerLoginApi(deps));
  api.use(messengerApi(deps));
  api.use(contactsApi(deps));
  api.use(syncApi(deps));
  api.use(ARRIVED_AT, browserSessions.middleware);
  api.use(crmOauthPages({ ...deps, appUrl: config.appUrl, forgetLinks }));
  api.use(nothingHere);
  app.use(api);

  app.use(limitPages);
  app.use(readBody);
  app.use(countNavigation({ log, count: async user => ({ toReview: await countToReview(deps, user) }) }));
  // Asked most often.
  app.use(startPages({ ...deps, render }));
  app.use(todayPages({ ...deps, render }));
  app.use(syncPages({ ...deps, render }));
  app.use(conversationPages({ ...deps, render }));
  app.use(
    reviewPages({
      ...deps,
      render,
      countToday: about => countToday(deps, about),
      findLastDigest: lastDigestOf(deps),
    }),
  );
  app.use(usersPages({ render, ...signingIn }));
  if (signingIn.mailSignIn) app.use(mailSignInPages({ ...deps, render, appUrl: config.appUrl }));
  const crm = { ...deps, contextOf: crmContextOf(deps) };
  const showCrm = (owner: { userId: string; timezone: string }) => crmSection(crm, owner);
  const findNextDigest = (owner: { userId: string }) => nextSyncAt(deps, owner);
  const readBeside = besideSettings(deps);
  const mailing = { ...deps, render, countUrgentDays: urgentDaysOf(deps) };
  const showMail = (reader: { id: string; email: string }, mode: MailMode) => mailSection(mailing, reader, mode);
  app.use(settingsPages({ ...deps, render, readBeside, findNextDigest, showCrm, showMail }));
  app.use(mailPages(mailing));
  app.use(unsubscribePages({ ...deps, render }));
  app.use(crmPages({ ...crm, render }));
  app.use(
    billingPages({
      ...deps,
      render,
      appUrl: config.appUrl,
      prices: config.payments.prices,
      timezoneOf: async owner => (await getSettings(deps, owner)).timezone,
      usageOf: usageOf(deps),
    }),
  );
  const startSync = (owner: { userId: string }) => triggerSync(deps, owner);
  app.use(
    messengerLoginPages({ ...deps, render, startSync, isStarting: owner => isStarting(deps, owner) }),
    messengerPages({ ...deps, render, describeLinks: about => describeLinks(deps, about) }),
  );
  const slow = { ...deps, db: deps.slowDb };
  app.use(accountPages({ ...slow, render, sessionCookie }));
  app.use(consentPages({ ...deps, render, getAccountName: accountNameOf(deps) }));
  app.use(privacyPages({ ...deps, render, services: servicesOf(deps) }));
  const forgetBrowserSessions = browserSessions.forgetUser;
  app.use(deletionPages({ ...slow, render, sessionCookie, forgetBrowserSessions }));

  app.use(nothingHere);
  app.use(answerErrors({ log, renderError: render.error }));
  return app;
}

/** Who gets to see what, for the page about privacy. */
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

/** Where a form may lead to: signing in goes on to the CRM when connecting it was what the person wanted. */
function crmPageOrigins({ crm, config }: Deps): string[] {
  return crm ? [new URL(crm.authorizationUrl({ redirectUri: config.appUrl, state: '' })).origin] : [];
}

/** The API keeps nothing in browsers, but where people arrive in one. */
function unlessApi(handler: express.RequestHandler): express.RequestHandler {
  return (req, res, next) => (isApi(req) ? next() : handler(req, res, next));
}

/** Version 1 takes additive changes only. */
const apiVersion: express.RequestHandler = (_req, res, next) => {
  res.set('X-API-Version', '1');
  res.set('Cache-Control', 'no-store');
  next();
};

const nothingHere: express.RequestHandler = (_req, _res, next) => next(new NotFound('page'));
