import { type Request, type Response, Router } from 'express';
import { ensureStepsAreKept, ownBrowserSession } from '../../http/browserSession.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { networkOf } from '../../http/rateLimit.ts';
import type { Renderer } from '../../http/render.ts';
import { seeOther } from '../../http/seeOther.ts';
import { readablePhone } from '../../lib/phone.ts';
import { countOf } from '../../lib/words.ts';
import { isolated } from '../../lib/writing.ts';
import { choiceOf, offersFor, sentencesToTell } from '../consent/present.ts';
import { type AiService, type NewChoice, type OfferedWriter, writerInput } from '../consent/schema.ts';
import { refuseOverPlan } from '../messenger/service.ts';
import { deliveryWords, type Step, type StepError, stepErrorOf } from './present.ts';
import { connectInput, verifyInput, verifyPasswordInput } from './schema.ts';
import {
  type ConnectDeps,
  type ConnectStarted,
  type StepResult,
  startConnect,
  verifyCode,
  verifyPassword,
} from './service.ts';

/** A sign-in at the messenger between its pages. */
type Connecting = {
  authToken: string;
  phone: string;
  delivery: ConnectStarted['delivery'];
  /** ISO 8601: a session store keeps JSON. */
  expiresAt: string;
  needsPassword: boolean;
  /** Who is to write the digests, chosen before anything is read. Undefined where there was no model to choose. */
  choice: NewChoice | undefined;
};

declare module 'express-session' {
  interface SessionData {
    connect?: Connecting;
  }
}

export type MessengerLoginPagesDeps = ConnectDeps & {
  render: Renderer;
  /** Whether the person is in the middle of their first steps, which go on after this one. */
  isStarting(owner: { userId: string }): Promise<boolean>;
  /** Begins the first sync of a fresh account. */
  startSync(owner: { userId: string }): Promise<unknown>;
  /** Undefined where the operator configured no model: then there is nothing to choose. */
  aiService: AiService | undefined;
};

const TITLES: Record<Step, string> = {
  phone: 'Connect Telegram',
  code: 'Enter the code',
  password: 'Enter your password',
};

/** The wizard: phone, code and, only when the account has one, password. Each step has its own address. */
export function messengerLoginPages(deps: MessengerLoginPagesDeps): Router {
  const pages = Router();
  pages.use('/connect', requireUser);

  pages.get('/connect', (req, res) => show(deps, req, res, 'phone', {}));

  pages.post('/connect', async (req, res) => {
    const typed = String(req.body?.phone ?? '');
    const writer = writerInput.safeParse(req.body).data?.writer;
    await attempt(deps, req, res, { step: 'phone', typed, writer }, async userId => {
      const { phone, choice } = parsePhoneStep(deps, req);
      await refuseOverPlan(deps, { userId, phone });
      await ensureStepsAreKept(req);
      const { expiresAt, ...started } = await startConnect(deps, { userId, phone, network: networkOf(req) });
      ownBrowserSession(req).connect = {
        ...started,
        expiresAt: expiresAt.toISOString(),
        needsPassword: false,
        choice,
      };
      seeOther(req, res, '/connect/code');
    });
  });

  pages.get('/connect/code', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect) return seeOther(req, res, '/connect');
    if (connect.needsPassword) return seeOther(req, res, '/connect/password');
    await show(deps, req, res, 'code', aboutCode(deps, connect));
  });

  pages.post('/connect/code', async (req, res) => {
    const { connect } = req.session;
    if (!connect) return seeOther(req, res, '/connect');
    const typed = String(req.body?.code ?? '');
    const about = aboutCode(deps, connect);
    await attempt(deps, req, res, { step: 'code', typed, ...about }, async userId => {
      const { code } = parseInput(verifyInput.pick({ code: true }), req.body);
      const { authToken, choice } = connect;
      await settle(deps, req, res, await verifyCode(deps, { userId, authToken, choice, code }));
    });
  });

  pages.get('/connect/password', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect?.needsPassword) return seeOther(req, res, '/connect');
    await show(deps, req, res, 'password', { sentTo: connect.phone });
  });

  pages.post('/connect/password', async (req, res) => {
    const { connect } = req.session;
    if (!connect) return seeOther(req, res, '/connect');
    await attempt(deps, req, res, { step: 'password', sentTo: connect.phone }, async userId => {
      const { password } = parseInput(verifyPasswordInput.pick({ password: true }), req.body);
      const { authToken, choice } = connect;
      await settle(deps, req, res, await verifyPassword(deps, { userId, authToken, choice, password }));
    });
  });

  return pages;
}

/** Where there is a model, the person says who writes before a code is sent. */
function parsePhoneStep({ aiService }: MessengerLoginPagesDeps, req: Request) {
  if (!aiService) return { ...parseInput(connectInput, req.body), choice: undefined };
  const { phone, writer } = parseInput(writerInput.extend(connectInput.shape), req.body);
  return { phone, choice: choiceOf(writer, aiService, 'account') };
}

/** How long, not until when: the user's time zone isn't known yet. */
function aboutCode(deps: MessengerLoginPagesDeps, connect: Connecting) {
  const minutes = Math.max(1, Math.ceil((new Date(connect.expiresAt).getTime() - deps.clock.now().getTime()) / 60_000));
  const { phone, choice } = connect;
  const writer = choice?.writer === 'operator' ? undefined : choice?.writer;
  const validFor = countOf(minutes, 'minute', 'minutes');
  return { sentTo: phone, delivery: deliveryWords(connect), validFor, writer };
}

async function settle(deps: MessengerLoginPagesDeps, req: Request, res: Response, result: StepResult) {
  if (result.needs2FA) {
    if (req.session.connect) req.session.connect.needsPassword = true;
    return seeOther(req, res, '/connect/password');
  }
  delete req.session.connect;
  if (await deps.isStarting({ userId: currentUser(req).id })) return seeOther(req, res, '/start');
  const { firstName, username } = result.messengerUser;
  const title = `Telegram is connected: ${isolated(firstName) || `@${username}`}`;
  setFlash(req, { tone: 'ok', title, text: 'The first sync runs now.' });
  await startFirstSync(deps, req);
  seeOther(req, res, '/today');
}

/** The account is connected either way; Today has the button to start the sync by hand. */
async function startFirstSync(deps: MessengerLoginPagesDeps, req: Request) {
  try {
    await deps.startSync({ userId: currentUser(req).id });
  } catch (err) {
    deps.log.warn({ err }, 'first sync not started');
    if (req.session.flash) req.session.flash.text = 'Start the first sync with Sync now.';
  }
}

type Shown = {
  step: Step;
  typed?: string;
  sentTo?: string;
  delivery?: string;
  validFor?: string;
  writer?: OfferedWriter | undefined;
};

/** Runs a step. What the person can correct is shown on the same page, with what was typed, but never a password. */
async function attempt(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  { step, ...shown }: Shown,
  act: (userId: string) => Promise<void>,
) {
  const userId = currentUser(req).id;
  try {
    await act(userId);
  } catch (err) {
    const stepError = stepErrorOf(err, step);
    if (stepError.isOver) delete req.session.connect;
    if (stepError.retryAfterSeconds) res.set('Retry-After', String(stepError.retryAfterSeconds));
    await show(deps, req, res, step, { ...shown, ...stepError });
  }
}

async function show(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  step: Step,
  about: Partial<Shown> & Partial<StepError>,
) {
  const { status = 200, ...rest } = about;
  const title = rest.errors || rest.banner ? `Error: ${TITLES[step]}` : TITLES[step];
  const isStarting = await deps.isStarting({ userId: currentUser(req).id });
  const sentToWords = rest.sentTo && readablePhone(rest.sentTo);
  const { aiService } = deps;
  const data = {
    ...{ typed: '', errors: {}, ...rest, step, title, sentToWords, isStarting },
    offers: aiService && offersFor(aiService, 'account'),
    sentences: sentencesToTell(aiService),
  };
  if (isHtmx(req)) deps.render.fragment(res, 'messenger/connect/_wizard', data, status);
  else deps.render.page(res, 'messenger/connect/index', data, { title, status, nav: 'settings' });
}
