import type { Request, Response, Router } from 'express';
import { ensureStepsAreKept, ownBrowserSession } from '../../../http/browserSession.ts';
import { parseInput } from '../../../http/input.ts';
import { networkOf } from '../../../http/rateLimit.ts';
import { seeOther } from '../../../http/seeOther.ts';
import { choiceOf } from '../consent/present.ts';
import { type NewChoice, writerInput } from '../consent/schema.ts';
import { checkScan, type OpenScan } from './checkScan.ts';
import { drawScanCode } from './drawScanCode.ts';
import { outageOf, presentScan, SCAN_POLL_SECONDS } from './present.ts';
import { attempt, type Connecting, chosenWriter, leadOn, type MessengerLoginPagesDeps, showStep } from './showStep.ts';
import { startScan } from './startScan.ts';

/** Signing in by a code to scan: the page polls for it, with htmx or by reloading itself. */
export function routeScan(pages: Router, deps: MessengerLoginPagesDeps): void {
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
