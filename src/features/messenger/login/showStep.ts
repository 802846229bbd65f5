import type { Request, Response } from 'express';
import { currentUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import type { Renderer } from '../../../http/render.ts';
import { seeOther } from '../../../http/seeOther.ts';
import { readablePhone } from '../../../lib/phone.ts';
import { isolated } from '../../../lib/textDirection.ts';
import { offersFor, sentencesToTell } from '../consent/present.ts';
import type { AiService, NewChoice, OfferedWriter } from '../consent/schema.ts';
import { type ShownScan, type Step, type StepError, stepErrorOf } from './present.ts';
import type { ConnectDeps, ConnectStarted, StepResult } from './service.ts';

/** A sign-in at the messenger between its pages. */
export type Connecting = {
  authToken: string;
  /** Where a code was sent, and how; undefined if a code is scanned instead. */
  phone?: string;
  delivery?: ConnectStarted['delivery'];
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
  scan: 'Scan the code',
  password: 'Enter your password',
};

export type Shown = {
  step: Step;
  typed?: string;
  sentTo?: string | undefined;
  delivery?: string;
  validFor?: string;
  writer?: OfferedWriter | undefined;
  scan?: ShownScan;
};

/** A step's page, for htmx the step alone. */
export async function showStep(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  about: Shown & Partial<StepError> & { refreshSeconds?: number },
): Promise<void> {
  const { status = 200, refreshSeconds = 0, ...rest } = about;
  const title = rest.errors || rest.banner ? `Error: ${TITLES[rest.step]}` : TITLES[rest.step];
  const isStarting = await deps.isStarting({ userId: currentUser(req).id });
  const sentToWords = rest.sentTo && readablePhone(rest.sentTo);
  const { aiService } = deps;
  const data = {
    ...{ typed: '', errors: {}, ...rest, title, sentToWords, isStarting },
    offers: aiService && offersFor(aiService, 'account'),
    sentences: sentencesToTell(aiService),
  };
  if (isHtmx(req)) deps.render.fragment(res, 'messenger/connect/_wizard', data, status);
  else deps.render.page(res, 'messenger/connect/index', data, { title, status, nav: 'settings', refreshSeconds });
}

/**
 * Runs a step. What the person can correct is shown on the same page, with what was typed, but never a password.
 * @param shown.tried the step that was tried, if its page belongs to another step
 */
export async function attempt(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  { tried, ...shown }: Shown & { tried?: Step },
  act: (userId: string) => Promise<void>,
): Promise<void> {
  const userId = currentUser(req).id;
  try {
    await act(userId);
  } catch (err) {
    const stepError = stepErrorOf(err, tried ?? shown.step);
    if (stepError.isOver) delete req.session.connect;
    if (stepError.retryAfterSeconds) res.set('Retry-After', String(stepError.retryAfterSeconds));
    // A code can be shown only with an answer from the messenger.
    const hidesForm = stepError.hidesForm ?? shown.step === 'scan';
    await showStep(deps, req, res, { ...shown, ...stepError, hidesForm });
  }
}

/** Redirects to the password step or, once the account is connected, to where the person came from. */
export async function leadOn(
  deps: MessengerLoginPagesDeps,
  req: Request,
  res: Response,
  result: StepResult,
): Promise<void> {
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
async function startFirstSync(deps: MessengerLoginPagesDeps, req: Request): Promise<void> {
  try {
    await deps.startSync({ userId: currentUser(req).id });
  } catch (err) {
    deps.log.warn({ err }, 'first sync not started');
    if (req.session.flash) req.session.flash.text = 'Start the first sync with Sync now.';
  }
}

/** The writer that was chosen, for a form that begins again. */
export function chosenWriter({ choice }: Connecting): OfferedWriter | undefined {
  return choice?.writer === 'operator' ? undefined : choice?.writer;
}
