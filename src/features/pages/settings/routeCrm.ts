import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { ClientError } from '../../../clients/errors.ts';
import { type Flash, type Renderer, setFlash } from '../../../http/render.ts';
import { currentUser, findCurrentSession, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { ensureStepsAreKept } from '../../../http/shortLivedSession.ts';
import { isSameSecret, randomToken } from '../../../lib/crypto.ts';
import type { UserKey } from '../../../lib/db.ts';
import { InvalidInput, NotFound } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { getSettings } from '../../base/settings/service.ts';
import { isOwner } from '../../crm/getFreshAccessToken.ts';
import { beforeConnecting, CRM_NAME, presentConnection, type RequirementAttempt } from '../../crm/present.ts';
import { getConnection } from '../../crm/repo.ts';
import { answerFromCrm, connectQuery, requirementKey, requirementValue } from '../../crm/schema.ts';
import * as crmService from '../../crm/service.ts';
import { getNoteStatus } from '../../outbox/notes/repo.ts';

type CrmPagesDeps = crmService.CrmDeps & { queue: Queue; render: Renderer };

type SectionMessage = { saved?: string; attempt?: RequirementAttempt };

/** Where a change leads: a full page load shows its outcome at the top. */
const CONNECTIONS = '/settings';

const trueOrFalse = z.enum(['true', 'false']).transform(value => value === 'true');
const switchesForm = z
  .object({
    sureMatchesWrite: trueOrFalse.exactOptional(),
    nameMatchesWrite: trueOrFalse.exactOptional(),
    tasksWrite: trueOrFalse.exactOptional(),
    tasksQuote: trueOrFalse.exactOptional(),
  })
  .refine(form => Object.values(form).some(value => value !== undefined), 'Choose what to change.');

export function routeCrm(pages: IRouter, deps: CrmPagesDeps & crmService.ConnectDeps): void {
  pages.post('/settings/crm', requireUser, async (req, res) => {
    const switches = parseInput(switchesForm, req.body);
    await crmService.changeSwitches(deps, { userId: currentUser(req).id, switches });
    await showSaved(deps, req, res);
  });

  routeRequirements(pages, deps);
  routeKey(pages, deps);

  pages.get('/settings/crm/disconnect', requireUser, async (req, res) => {
    const { who, disconnect: canEnd } = await crmSection(deps, { userId: currentUser(req).id });
    if (!canEnd) throw new NotFound('connection');
    deps.render.page(res, 'crm/disconnect/index', { who }, { title: 'Disconnect the CRM', nav: 'settings' });
  });

  pages.post('/settings/crm/disconnect', requireUser, async (req, res) => {
    const { revoked } = await crmService.disconnect(deps, { userId: currentUser(req).id });
    const gone = revoked ? GONE : GONE_HERE;
    setFlash(req, deps.crm?.ownKey !== undefined ? KEY_UNUSED : gone);
    res.redirect(303, CONNECTIONS);
  });
}

export async function crmSection(deps: crmService.CrmDeps, { userId }: UserKey, message: SectionMessage = {}) {
  const [connection, { timezone }, standing] = await Promise.all([
    getConnection(deps.db, userId),
    getSettings(deps, { userId }),
    getNoteStatus(deps.db, userId),
  ]);
  const { portalId } = connection;
  return presentConnection(connection, {
    timezone,
    ...standing,
    ...message,
    now: deps.clock.now(),
    isConfigured: deps.crm !== undefined,
    hasKey: Boolean(deps.crm?.ownKey),
    propertySettingsUrl: type => deps.crm?.propertySettingsUrl({ portalId, type }) ?? '',
  });
}

async function showSection(deps: CrmPagesDeps, req: Request, res: Response, message: SectionMessage) {
  const section = await crmSection(deps, { userId: currentUser(req).id }, message);
  deps.render.fragment(res, 'settings/_crm', section, message.attempt ? 400 : 200);
}

async function showSaved(deps: CrmPagesDeps, req: Request, res: Response) {
  if (isHtmx(req)) return showSection(deps, req, res, { saved: 'Saved' });
  setFlash(req, { tone: 'ok', title: 'Saved' });
  res.redirect(303, CONNECTIONS);
}

const GONE: Flash = {
  tone: 'ok',
  title: 'The CRM is disconnected',
  text: 'Our access is revoked and erased. Notes and tasks already in the CRM stay there, and your matches stay here.',
};
const KEY_UNUSED: Flash = {
  tone: 'ok',
  title: 'The CRM is disconnected',
  text: 'The key stays in the configuration, unused. Notes and tasks already in the CRM stay there, and your matches stay here.',
};
const GONE_HERE: Flash = {
  tone: 'warn',
  title: 'The CRM is disconnected here',
  text: 'We couldn’t reach the CRM. End the access there too: Settings, Integrations, Connected apps.',
};

/** A CRM sign-in that was started in this browser, by this user, not long ago. */
type PendingConnect = { state: string; userId: string; startedAt: number; from?: 'start' };

declare module 'express-session' {
  interface SessionData {
    crmConnect?: PendingConnect;
  }
}

const STATE_LIVES_MS = 10 * 60_000;
const START = '/start';

/** The two addresses a browser comes to on its way to the CRM and back. They need the browser's session. */
export function crmOauthPages(pages: IRouter, deps: crmService.ConnectDeps): void {
  pages.get('/api/crm/connect', requireUser, async (req, res) => {
    const crm = crmService.requireClient(deps);
    const { from } = connectQuery.parse(req.query);
    if (crm.ownKey !== undefined) return res.redirect(302, from ? `${BY_KEY}?from=${from}` : BY_KEY);
    await ensureStepsAreKept(req);
    const state = randomToken();
    const startedAt = deps.clock.now().getTime();
    req.session.crmConnect = { state, userId: currentUser(req).id, startedAt, ...(from && { from }) };
    res.redirect(302, crm.authorizationUrl({ redirectUri: crmService.redirectUri(deps), state }));
  });

  pages.get('/api/crm/callback', signInFirst, async (req, res) => {
    crmService.requireClient(deps);
    const { code, state, error } = parseInput(answerFromCrm, req.query);
    const place = takeState(deps, req, state).from ? START : CONNECTIONS;
    if (error) return goBack(req, res, place, notConnected('You didn’t allow access there, so nothing has changed.'));
    if (!code) throw new InvalidInput('The CRM didn’t send a code. Start the sign-in again.', { code: 'This is missing.' });
    try {
      const done = await crmService.completeConnection(deps, { userId: currentUser(req).id, code });
      goBack(req, res, place, describeConnected(done));
    } catch (err) {
      if (!(err instanceof ClientError)) throw err;
      deps.log.warn({ err }, 'CRM not connected');
      goBack(req, res, place, notConnected(err.kind === 'permanent' ? REJECTED : UNEXPECTED));
    }
  });
}

/** Drops the CRM's query: it is of no use to the next user who signs in, and must not stay in the address. */
function signInFirst(req: Request, res: Response, next: (err?: unknown) => void) {
  if (findCurrentSession(req) || req.accepts(['html', 'json']) === 'json') return requireUser(req, res, next);
  res.redirect(302, '/signin?callbackUrl=%2Fsettings');
}

/** Valid once. Throws InvalidInput unless this browser and this user started it within ten minutes. */
function takeState(deps: crmService.ConnectDeps, req: Request, state: string | undefined): PendingConnect {
  const pending = req.session.crmConnect;
  const isOurs = pending?.userId === currentUser(req).id;
  if (!pending || !state || !isOurs || !isSameSecret(pending.state, state)) {
    throw new InvalidInput(
      'This CRM sign-in wasn’t started here, or it has already been used. Start again under Settings.',
      {},
      'CRM_STATE_INVALID',
    );
  }
  delete req.session.crmConnect;
  if (deps.clock.now().getTime() - pending.startedAt > STATE_LIVES_MS) {
    throw new InvalidInput('The CRM sign-in took longer than 10 minutes. Start again.', {}, 'CRM_STATE_EXPIRED');
  }
  return pending;
}

function goBack(req: Request, res: Response, place: string, flash: Flash): void {
  setFlash(req, flash);
  res.redirect(302, place);
}

const notConnected = (text: string): Flash => ({ tone: 'warn', title: 'The CRM isn’t connected', text });

/** Saves or removes the value of a required property, and retries waiting records. */
function routeRequirements(pages: IRouter, deps: CrmPagesDeps): void {
  pages.post('/settings/crm/required', requireUser, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    const key = parseInput(requirementKey, req.body);
    const { data: value, error } = requirementValue.safeParse(req.body?.value);
    if (value === undefined) {
      const sentence = error.issues[0]?.message ?? '';
      if (!isHtmx(req)) throw new InvalidInput(sentence, { value: sentence });
      const attempt = { ...key, value: String(req.body?.value ?? ''), error: sentence };
      return showSection(deps, req, res, { attempt });
    }
    await crmService.saveRequirement(deps, { ...owner, ...key, value });
    await showSaved(deps, req, res);
  });

  pages.post('/settings/crm/required/remove', requireUser, async (req, res) => {
    await crmService.forgetRequirement(deps, { userId: currentUser(req).id, ...parseInput(requirementKey, req.body) });
    await showSaved(deps, req, res);
  });
}

const BY_KEY = '/settings/crm/key';

/** For servers where the operator set a key instead of an app: one button connects the account that the key opens. */
function routeKey(pages: IRouter, deps: crmService.ConnectDeps & { render: Renderer }): void {
  pages.get(BY_KEY, requireUser, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    if (deps.crm?.ownKey === undefined) return res.redirect(302, '/settings');
    if (!(await isOwner(deps, owner.userId))) throw new NotFound('key');
    const { sureMatchesWrite } = await getConnection(deps.db, owner.userId);
    const { from = '' } = connectQuery.parse(req.query);
    const what = { from, crmName: CRM_NAME, words: beforeConnecting(sureMatchesWrite) };
    deps.render.page(res, 'crm/key/index', what, { title: `Connect ${CRM_NAME}`, nav: 'settings' });
  });

  pages.post(BY_KEY, requireUser, async (req, res) => {
    const { from } = connectQuery.parse(req.body ?? {});
    const place = from ? START : CONNECTIONS;
    try {
      setFlash(req, describeConnected(await crmService.connectByKey(deps, { userId: currentUser(req).id })));
    } catch (err) {
      if (!(err instanceof ClientError)) throw err;
      deps.log.warn({ err }, 'CRM not connected');
      setFlash(req, notConnected(KEY_REFUSALS[err.code] ?? UNEXPECTED));
    }
    res.redirect(303, place);
  });
}

const KEY_REFUSALS: Record<string, string> = {
  CRM_AUTH: 'It doesn’t accept the key of this installation. Put a new one in CRM_ACCESS_TOKEN and restart.',
  CRM_SCOPE_MISSING: 'The key may not read contacts there. Add the scopes that the guide names, then connect again.',
};
const REJECTED = 'It rejected the sign-in. Start again.';
const UNEXPECTED = 'It sent an unexpected response. Try again in a few minutes.';

/** The message once an account is connected. */
function describeConnected({ connection, isOther }: crmService.Connected): Flash {
  if (!connection.propertiesReady) {
    return {
      tone: 'warn',
      title: 'The CRM is connected, but not ready yet',
      text: 'It hasn’t created the Telegram contact properties. The next sync tries again; notes wait until then.',
    };
  }
  const anew = 'It’s a different account than before, so every conversation is matched again. ';
  const writes = connection.sureMatchesWrite
    ? 'Notes for confident matches start with the next sync.'
    : 'Notes are added once you confirm a match.';
  return { tone: 'ok', title: 'The CRM is connected', text: `${isOther ? anew : ''}${writes}` };
}
