import { type Request, type Response, Router } from 'express';
import { ensureStepsAreKept, ownBrowserSession } from '../../../http/browserSession.ts';
import { requireUser } from '../../../http/currentUser.ts';
import { parseInput } from '../../../http/input.ts';
import { networkOf } from '../../../http/rateLimit.ts';
import { seeOther } from '../../../http/seeOther.ts';
import { countOf } from '../../../lib/words.ts';
import { choiceOf } from '../consent/present.ts';
import { type NewChoice, writerInput } from '../consent/schema.ts';
import { refuseOverPlan } from '../service.ts';
import { checkScan, type OpenScan, startScan } from './checkScan.ts';
import { deliveryWords, drawScanCode, outageOf, presentScan, SCAN_POLL_SECONDS } from './present.ts';
import { connectInput, verifyInput, verifyPasswordInput } from './schema.ts';
import { startConnect, verifyCode, verifyPassword } from './service.ts';
import { attempt, type Connecting, chosenWriter, leadOn, type MessengerLoginPagesDeps, showStep } from './showStep.ts';

/** The wizard: phone and code or a code to scan and, only when the account has one, password. Each step has its own address. */
export function messengerLoginPages(deps: MessengerLoginPagesDeps): Router {
  const pages = Router();
  pages.use('/connect', requireUser);

  pages.get('/connect', (req, res) => showStep(deps, req, res, { step: 'phone' }));

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
    const about = aboutCode(deps, connect);
    if (!about) return seeOther(req, res, '/connect/scan');
    await showStep(deps, req, res, { step: 'code', ...about });
  });

  pages.post('/connect/code', async (req, res) => {
    const { connect } = req.session;
    const about = connect && aboutCode(deps, connect);
    if (!about) return seeOther(req, res, '/connect');
    const typed = String(req.body?.code ?? '');
    await attempt(deps, req, res, { step: 'code', typed, ...about }, async userId => {
      const { code } = parseInput(verifyInput.pick({ code: true }), req.body);
      const { authToken, choice } = connect;
      await leadOn(deps, req, res, await verifyCode(deps, { userId, authToken, choice, code }));
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
    await attempt(deps, req, res, { step: 'password', sentTo: connect.phone }, async userId => {
      const { password } = parseInput(verifyPasswordInput.pick({ password: true }), req.body);
      const { authToken, choice } = connect;
      await leadOn(deps, req, res, await verifyPassword(deps, { userId, authToken, choice, password }));
    });
  });

  routeScan(pages, deps);
  return pages;
}

/** If there is a model, the person chooses who writes before a code is sent. */
function parsePhoneStep({ aiService }: MessengerLoginPagesDeps, req: Request) {
  if (!aiService) return { ...parseInput(connectInput, req.body), choice: undefined };
  const { phone, writer } = parseInput(writerInput.extend(connectInput.shape), req.body);
  return { phone, choice: choiceOf(writer, aiService, 'account') };
}

/** Says how long, not until when: the user's time zone isn't known yet. Undefined if no code was sent. */
function aboutCode(deps: MessengerLoginPagesDeps, connect: Connecting) {
  const minutes = Math.max(1, Math.ceil((new Date(connect.expiresAt).getTime() - deps.clock.now().getTime()) / 60_000));
  const { phone, delivery } = connect;
  if (phone === undefined || delivery === undefined) return undefined;
  const validFor = countOf(minutes, 'minute', 'minutes');
  return { sentTo: phone, delivery: deliveryWords({ phone, delivery }), validFor, writer: chosenWriter(connect) };
}

/** Signing in by a code to scan: the page polls for it, with htmx or by reloading itself. */
function routeScan(pages: Router, deps: MessengerLoginPagesDeps): void {
  pages.post('/connect/scan', async (req, res) => {
    const typed = String(req.body?.phone ?? '');
    const writer = writerInput.safeParse(req.body).data?.writer;
    await attempt(deps, req, res, { step: 'phone', tried: 'scan', typed, writer }, async userId => {
      const choice = parseChoice(deps, req);
      await ensureStepsAreKept(req);
      const { authToken, expiresAt } = await startScan(deps, { userId, network: networkOf(req) });
      const started = { authToken, expiresAt: expiresAt.toISOString(), needsPassword: false, choice };
      ownBrowserSession(req).connect = started;
      seeOther(req, res, '/connect/scan');
    });
  });

  pages.get('/connect/scan', async (req, res) => {
    const connect = req.session?.connect;
    if (!connect) return seeOther(req, res, '/connect');
    if (connect.needsPassword) return seeOther(req, res, '/connect/password');
    if (connect.phone !== undefined) return seeOther(req, res, '/connect/code');
    await attempt(deps, req, res, { step: 'scan' }, async userId => {
      const { authToken, choice } = connect;
      const check = await checkScan(deps, { userId, authToken, choice });
      if (check.state === 'settled') return leadOn(deps, req, res, check.result);
      await showScan(deps, req, res, connect, check);
    });
  });
}

/** If there is a model, the person chooses who writes before a code is shown. */
function parseChoice({ aiService }: MessengerLoginPagesDeps, req: Request): NewChoice | undefined {
  return aiService && choiceOf(parseInput(writerInput, req.body).writer, aiService, 'account');
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
  const image = isWaiting ? await drawScanCode(check.link) : '';
  await showStep(deps, req, res, {
    step: 'scan',
    writer: chosenWriter(connect),
    scan: presentScan(check, image, deps.clock.now()),
    ...(check.failure && { banner: outageOf(check.failure) }),
    ...(isWaiting && { refreshSeconds: SCAN_POLL_SECONDS * 2 }),
  });
}
