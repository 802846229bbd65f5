import { parseCookie } from 'cookie';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { type Renderer, seeOther } from '../../../http/render.ts';
import { isSameSecret, randomToken } from '../../../lib/crypto.ts';
import { Forbidden, NotFound } from '../../../lib/errors.ts';
import { listOffers } from './createModelWork.ts';
import { describeModels, type ShownModels, secondsWords } from './describeModels.ts';
import { presentSetup, type SetupContext } from './present.ts';
import { type Errors, errorsIn, fillInSecrets, isStepDecided, nextStep, openStep, readTyped } from './rules.ts';
import { type Check, type StepId, stepId } from './schema.ts';
import * as service from './service.ts';

type Deps = ShowDeps & {
  /** Why the service could not start with these settings: a sentence for each problem. */
  problemsWith: (settings: Record<string, string>) => readonly string[];
  /** The person is done: the process may end once this page is delivered. */
  finish: () => void;
};

/** The setup page. Every form works without JavaScript; with it, fields are checked while they are filled in. */
export function setupPages(pages: IRouter, deps: Deps): void {
  pages.get('/setup', async (req, res) => {
    const { data: step } = stepId.safeParse(req.query.change);
    const change = step && isStepDecided(step, service.getSavedSettings(deps)) ? step : undefined;
    await showSetup(deps, res, { change });
  });

  pages.post('/setup/finish', async (_req, res) => {
    const kept = service.getSavedSettings(deps);
    const problems = nextStep(kept) ? ['Some steps are still open.'] : deps.problemsWith(kept);
    if (problems.length > 0) return showSetup(deps, res, { problems, isRefused: true });
    const hasMail = Boolean(kept.MAIL_URL);
    deps.render.page(res, 'setup/finished/index', { hasMail }, { title: 'Forenoon is set up', isWide: true });
    res.once('close', deps.finish);
  });

  routeModels(pages, deps);

  pages.post('/setup/:step/format', (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, { errors: service.checkFormat(step, readTyped(step, req.body)), checks: [] });
  });

  pages.post('/setup/:step/check', async (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, await service.tryStep(deps, step, readTyped(step, req.body)));
  });

  pages.post('/setup/:step', async (req, res) => {
    const step = stepOf(req);
    const { action } = req.body ?? {};
    if (action === 'later') {
      await service.skipStep(deps, step);
      return seeOther(req, res, '/setup');
    }
    const typed = readTyped(step, req.body);
    const { isKept, ...outcome } = await service.keepStep(deps, step, { typed, anyway: action === 'anyway' });
    if (isKept) return seeOther(req, res, '/setup');
    await showSetup(deps, res, { change: step, attempt: { typed, ...outcome }, isRefused: true });
  });
}

function stepOf(req: Request): StepId {
  const { data } = stepId.safeParse(req.params.step);
  if (!data) throw new NotFound('step');
  return data;
}

function showChecks({ render }: Deps, res: Response, { errors, checks }: { errors: Errors; checks: Check[] }) {
  const wrong = Object.values(errors).map((text): Check => ({ state: 'bad', text }));
  res.set('Cache-Control', 'no-store');
  render.fragment(res, 'setup/_checks', { checks: [...wrong, ...checks], secondsWords });
}

const WRITER_STEP = '/setup?change=writer';

/** The actions on a model before it is chosen: download one of the list, try it, and stop either. */
function routeModels(pages: IRouter, deps: ShowDeps): void {
  const { modelWork, checks } = deps;

  pages.get('/setup/model', async (_req, res) => await showModels(deps, res));

  pages.post('/setup/model/download', async (req, res) => {
    const { memoryBytes } = checks.machine;
    const offers = listOffers({ memoryBytes, freeDiskBytes: await checks.machine.freeDiskBytes() });
    const offer = offers.find(({ model }) => model === req.body?.model);
    if (!offer) return chooseFirst(res, 'Choose a model to download.');
    modelWork.download(offer);
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/try', async (req, res) => {
    const typed = readTyped('writer', req.body);
    const values = fillInSecrets('writer', typed, service.getSavedSettings(deps));
    const errors = errorsIn('writer', values, { isComplete: true });
    if (Object.keys(errors).length > 0) {
      return showSetup(deps, res, { change: 'writer', attempt: { typed, errors, checks: [] }, isRefused: true });
    }
    const { aiUrl = '', model = '', aiKey } = values;
    modelWork.try({ apiUrl: aiUrl, model, apiKey: aiKey || undefined });
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/again', (req, res) => {
    const work = modelWork.current();
    if (work.state === 'cancelled' || work.state === 'failed') {
      if (work.isNew && work.step !== 'try') modelWork.download(work);
      else modelWork.try(work.service);
    }
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/cancel', async (req, res) => {
    modelWork.cancel();
    await modelWork.settled();
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/use', (req, res) => {
    if (!service.saveTriedModel(deps)) throw new NotFound('trial');
    seeOther(req, res, '/setup');
  });

  const chooseFirst = (res: Response, text: string) =>
    showSetup(deps, res, { change: 'writer', attempt: { typed: {}, errors: { offer: text }, checks: [] }, isRefused: true });
}

type ShowDeps = service.SetupDeps & { render: Renderer };

/** Seconds after which a browser without JavaScript asks how far a model is. */
const REFRESH_SECONDS = 3;

type SetupView = Pick<SetupContext, 'change' | 'attempt'> & { problems?: readonly string[]; isRefused?: boolean };

/** The setup page, with the form of the step that is open. */
async function showSetup(deps: ShowDeps, res: Response, { problems = [], isRefused = false, ...about }: SetupView) {
  const { settingsFile, localUrl, proofs, render } = deps;
  const kept = service.getSavedSettings(deps);
  const models = openStep(kept, about.change) === 'writer' ? await lookForModels(deps) : undefined;
  const setup = presentSetup({ ...about, kept, proofs, models, settingsFile, localUrl });
  // The page may contain submitted values.
  res.set('Cache-Control', 'no-store');
  const refresh = models?.isRunning ? { refreshSeconds: REFRESH_SECONDS } : {};
  render.page(res, 'setup/index', { ...setup, problems, secondsWords }, { title: setup.title, isRefused, ...refresh });
}

/** The part about models, which asks again while something is under way. */
async function showModels(deps: ShowDeps, res: Response): Promise<void> {
  res.set('Cache-Control', 'no-store');
  deps.render.fragment(res, 'setup/_models', { models: await lookForModels(deps) });
}

/** While work is under way, only its progress is shown. */
async function lookForModels(deps: service.SetupDeps): Promise<ShownModels> {
  const { modelWork, checks } = deps;
  const found = modelWork.current().state === 'running' ? undefined : await service.findModels(deps);
  return describeModels({ work: modelWork.current(), found, machine: checks.machine });
}

const COOKIE = 'forenoon-setup';
const PATH = '/setup';

/**
 * Admits the browser that first opens the address with the token, which the terminal shows. It gets a cookie for as
 * long as it is open and this process runs. Everyone else is refused, even a second browser with the token.
 */
export function admitOnce(token: string): RequestHandler {
  const admitted = randomToken();
  let isUsed = false;
  return (req, res, next) => {
    const shown = parseCookie(req.headers.cookie ?? '')[COOKIE];
    const isAdmitted = shown !== undefined && isSameSecret(shown, admitted);
    const offered = req.query.token;
    if (offered === undefined) return next(isAdmitted ? undefined : refusal());
    const isGood = !isUsed && typeof offered === 'string' && isSameSecret(offered, token);
    if (!isAdmitted && !isGood) return next(refusal());
    isUsed = true;
    res.cookie(COOKIE, admitted, { httpOnly: true, sameSite: 'lax', path: PATH });
    // Drops the token, which must not stay in the address.
    res.set('Referrer-Policy', 'no-referrer').redirect(303, PATH);
  };
}

function refusal(): Forbidden {
  const words = 'Open the address that the terminal shows. It works once: run npm start -- --setup again for a new one.';
  return new Forbidden(words, 'NOT_FROM_TERMINAL');
}
