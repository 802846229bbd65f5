import type { IRouter, Request, Response } from 'express';
import { networkOf } from '../../../http/rateLimit.ts';
import { type Renderer, seeOther, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { claimBrowserSession, ensureStepsAreKept } from '../../../http/shortLivedSession.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { formatQuantity, isolateDirection } from '../../../lib/words.ts';
import { composeChoice, offersFor, sentencesToTell } from '../consent/present.ts';
import { type AiService, type NewChoice, type OfferedWriter, writerInput } from '../consent/schema.ts';
import { refuseOverPlan } from '../service.ts';
import { checkScan, type OpenScan, startScan } from './checkScan.ts';
import * as present from './present.ts';
import { connectInput, verifyInput, verifyPasswordInput } from './schema.ts';
import * as service from './service.ts';

/** The wizard: phone and code or a code to scan and, only when the account has one, password. Each step has its own address. */
export function messengerLoginPages(pages: IRouter, deps: MessengerLoginPagesDeps): void {
  pages.use('/connect', requireUser);

  pages.get('/connect', (req, res) => showStep(deps, req, res, { step: 'phone' }));

  pages.post('/connect', async (req, res) => {
    const typed = String(req.body?.phone ?? '');
    const writer = writerInput.safeParse(req.body).data?.writer;
    await tryStep(deps, req, res, { step: 'phone', typed, writer }, async userId => {
      const form = deps.aiService ? writerInput.extend(connectInput.shape) : connectInput;
      const { phone } = parseInput(form, req.body);
      const choice = parseChoice(deps, req);
      await refuseOverPlan(deps, { userId, phone });
      await ensureStepsAreKept(req);
      const { expiresAt, ...started } = await service.startConnect(deps, { userId, phone, network: networkOf(req) });
      claimBrowserSession(req).connect = { ...started, expiresAt: expiresAt.toISOString(), needsPassword: false, choice };
      seeOther(req, res, '/connect/code');
    });
  });

  pages.get('/connect/code', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect) return seeOther(req, res, '/connect');
    if (connect.needsPassword) return seeOther(req, res, '/connect/password');
    const about = aboutCode(deps, connect);
    if (!about) return seeOther(req, res, '/connect/scan');
    await showStep(deps, req, res, { step: 'code', ...about });
  });

  pages.post('/connect/code', async (req, res) => {
    const { connect } = req.session;
    const about = connect && aboutCode(deps, connect);
    if (!about) return seeOther(req, res, '/connect');
    const typed = String(req.body?.code ?? '');
    await tryStep(deps, req, res, { step: 'code', typed, ...about }, async userId => {
      const { code } = parseInput(verifyInput.pick({ code: true }), req.body);
      const { authToken, choice } = connect;
      await redirectToNextStep(deps, req, res, await service.verifyCode(deps, { userId, authToken, choice, code }));
    });
  });

  pages.get('/connect/password', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect?.needsPassword) return seeOther(req, res, '/connect');
    await showStep(deps, req, res, { step: 'password', sentTo: connect.phone });
  });

  pages.post('/connect/password', async (req, res) => {
    const { connect } = req.session;
    if (!connect) return seeOther(req, res, '/connect');
    await tryStep(deps, req, res, { step: 'password', sentTo: connect.phone }, async userId => {
      const { password } = parseInput(verifyPasswordInput.pick({ password: true }), req.body);
      const { authToken, choice } = connect;
      await redirectToNextStep(deps, req, res, await service.verifyPassword(deps, { userId, authToken, choice, password }));
    });
  });

  routeScan(pages, deps);
}

/** How a code was sent, and how long (not until when: the time zone isn't known) it works. Undefined if none was sent. */
function aboutCode(deps: MessengerLoginPagesDeps, connect: Connecting) {
  const minutes = Math.max(1, Math.ceil((new Date(connect.expiresAt).getTime() - deps.clock.now().getTime()) / 60_000));
  const { phone, delivery } = connect;
  if (phone === undefined || delivery === undefined) return undefined;
  const validFor = formatQuantity(minutes, 'minute', 'minutes');
  return { sentTo: phone, delivery: present.deliveryWords({ phone, delivery }), validFor, writer: chosenWriter(connect) };
}

/** Signing in by a code to scan: the page polls for it, with htmx or by reloading itself. */
function routeScan(pages: IRouter, deps: MessengerLoginPagesDeps): void {
  pages.post('/connect/scan', async (req, res) => {
    const typed = String(req.body?.phone ?? '');
    const writer = writerInput.safeParse(req.body).data?.writer;
    await tryStep(deps, req, res, { step: 'phone', tried: 'scan', typed, writer }, async userId => {
      const choice = parseChoice(deps, req);
      await ensureStepsAreKept(req);
      const { authToken, expiresAt } = await startScan(deps, { userId, network: networkOf(req) });
      const started = { authToken, expiresAt: expiresAt.toISOString(), needsPassword: false, choice };
      claimBrowserSession(req).connect = started;
      seeOther(req, res, '/connect/scan');
    });
  });

  pages.get('/connect/scan', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect) return seeOther(req, res, '/connect');
    if (connect.needsPassword) return seeOther(req, res, '/connect/password');
    if (connect.phone !== undefined) return seeOther(req, res, '/connect/code');
    await tryStep(deps, req, res, { step: 'scan' }, async userId => {
      const { authToken, choice } = connect;
      const check = await checkScan(deps, { userId, authToken, choice });
      if (check.state === 'settled') return redirectToNextStep(deps, req, res, check.result);
      await showScan(deps, req, res, connect, check);
    });
  });
}

/** With a model available, the user chooses a writer before a code is shown. */
function parseChoice({ aiService }: MessengerLoginPagesDeps, req: Request): NewChoice | undefined {
  return aiService && composeChoice(parseInput(writerInput, req.body).writer, aiService, 'account');
}

/** The page is shown even while the messenger is out of reach: the code may still be valid. */
async function showScan(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  connect: Connecting,
  check: OpenScan,
): Promise<void> {
  const isWaiting = check.state === 'waiting';
  const image = isWaiting ? await present.drawScanCode(check.link) : '';
  await showStep(deps, req, res, {
    step: 'scan',
    writer: chosenWriter(connect),
    scan: present.presentScan(check, image, deps.clock.now()),
    ...(check.failure && { banner: present.describeLoginOutage(check.failure) }),
    ...(isWaiting && { refreshSeconds: present.SCAN_POLL_SECONDS * 2 }),
  });
}

/** A sign-in at the messenger between its pages. */
type Connecting = {
  authToken: string;
  /** Destination of the code; undefined for a scanned code. */
  phone?: string;
  delivery?: service.ConnectStarted['delivery'];
  /** ISO 8601: a session store keeps JSON. */
  expiresAt: string;
  needsPassword: boolean;
  /** Writer chosen before anything is read; undefined if no model is available. */
  choice: NewChoice | undefined;
};

declare module 'express-session' {
  interface SessionData {
    connect?: Connecting;
  }
}

type MessengerLoginPagesDeps = service.ConnectDeps & {
  render: Renderer;
  /** Whether the person is in the middle of their first steps, which go on after this one. */
  isStarting(owner: { userId: string }): Promise<boolean>;
  /** Begins the first sync of a fresh account. */
  startSync(owner: { userId: string }): Promise<unknown>;
  /** Undefined where the operator configured no model: then there is nothing to choose. */
  aiService: AiService | undefined;
};

const TITLES: Record<present.StepName, string> = {
  phone: 'Connect Telegram',
  code: 'Enter the code',
  scan: 'Scan the code',
  password: 'Enter your password',
};

type StepView = {
  step: present.StepName;
  typed?: string;
  sentTo?: string | undefined;
  delivery?: string;
  validFor?: string;
  writer?: OfferedWriter | undefined;
  scan?: present.ShownScan;
};

/** A step's page, for htmx the step alone. */
async function showStep(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  about: StepView & Partial<present.StepError> & { refreshSeconds?: number },
): Promise<void> {
  const { status = 200, refreshSeconds = 0, ...rest } = about;
  const title = rest.errors || rest.banner ? `Error: ${TITLES[rest.step]}` : TITLES[rest.step];
  const isStarting = await deps.isStarting({ userId: currentUser(req).id });
  const sentToWords = rest.sentTo && formatPhone(rest.sentTo);
  const { aiService } = deps;
  const data = {
    typed: '',
    errors: {},
    ...rest,
    title,
    sentToWords,
    isStarting,
    offers: aiService && offersFor(aiService, 'account'),
    sentences: sentencesToTell(aiService),
  };
  if (isHtmx(req)) deps.render.fragment(res, 'messenger/connect/_wizard', data, status);
  else deps.render.page(res, 'messenger/connect/index', data, { title, status, nav: 'settings', refreshSeconds });
}

/**
 * Runs a step. Correctable errors are shown on the same page with the input, except passwords.
 * @param tried the step that was tried, if its page belongs to another step
 */
async function tryStep(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  { tried, ...shown }: StepView & { tried?: present.StepName },
  act: (userId: string) => Promise<void>,
): Promise<void> {
  const userId = currentUser(req).id;
  try {
    await act(userId);
  } catch (err) {
    const stepError = present.toStepError(err, tried ?? shown.step);
    if (stepError.isOver) delete req.session.connect;
    if (stepError.retryAfterSeconds) res.set('Retry-After', String(stepError.retryAfterSeconds));
    // A code can be shown only with an answer from the messenger.
    const hidesForm = stepError.hidesForm ?? shown.step === 'scan';
    await showStep(deps, req, res, { ...shown, ...stepError, hidesForm });
  }
}

/** Redirects to the password step or, once the account is connected, to where the person came from. */
async function redirectToNextStep(deps: MessengerLoginPagesDeps, req: Request, res: Response, result: service.StepResult) {
  if (result.needs2FA) {
    if (req.session.connect) req.session.connect.needsPassword = true;
    return seeOther(req, res, '/connect/password');
  }
  delete req.session.connect;
  if (await deps.isStarting({ userId: currentUser(req).id })) return seeOther(req, res, '/start');
  const { firstName, username } = result.messengerUser;
  const title = `Telegram is connected: ${isolateDirection(firstName) || `@${username}`}`;
  let text = 'The first sync runs now. To have groups read, turn them on under Conversations.';
  try {
    await deps.startSync({ userId: currentUser(req).id });
  } catch (err) {
    // The account is connected either way; Today has the button to start the sync by hand.
    deps.log.warn({ err }, 'first sync not started');
    text = 'Start the first sync with Sync now.';
  }
  setFlash(req, { tone: 'ok', title, text });
  seeOther(req, res, '/today');
}

/** The writer that was chosen, for a form that begins again. */
function chosenWriter({ choice }: Connecting): OfferedWriter | undefined {
  return choice?.writer === 'operator' ? undefined : choice?.writer;
}
