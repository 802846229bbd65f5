import { type Request, type Response, Router } from 'express';
import type { Renderer } from '../../http/render.ts';
import { seeOther } from '../../http/seeOther.ts';
import { NotFound } from '../../lib/errors.ts';
import { type About, presentSetup, secondsWords } from './present.ts';
import { type Errors, isDecided, nextStep, openStep, type Typed } from './rules.ts';
import { type Check, FIELDS, type StepId, stepId } from './schema.ts';
import { checkFormat, getSettings, keepStep, leaveOut, type SetupDeps, tryStep } from './service.ts';

type Deps = SetupDeps & {
  render: Renderer;
  /** What would keep the service from starting with these settings: a sentence each. */
  problemsWith: (settings: Record<string, string>) => readonly string[];
  /** The person is done: the process may end once this page is delivered. */
  finish: () => void;
};

/** The setup page. Every form works without JavaScript; with it, fields are checked while they are filled in. */
export function setupPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/setup', async (req, res) => {
    const { data: asked } = stepId.safeParse(req.query.change);
    const change = asked && isDecided(asked, getSettings(deps)) ? asked : undefined;
    await show(deps, res, { change });
  });

  pages.post('/setup/finish', async (_req, res) => {
    const kept = getSettings(deps);
    const problems = nextStep(kept) ? ['Some steps are still open.'] : deps.problemsWith(kept);
    if (problems.length > 0) return show(deps, res, { problems, status: 400 });
    const hasMail = Boolean(kept.MAIL_URL);
    deps.render.page(res, 'setup/finished/index', { hasMail }, { title: 'Forenoon is set up', isWide: true });
    res.once('close', deps.finish);
  });

  pages.post('/setup/:step/format', (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, { errors: checkFormat(step, typedIn(req, step)), checks: [] });
  });

  pages.post('/setup/:step/check', async (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, await tryStep(deps, step, typedIn(req, step)));
  });

  pages.post('/setup/:step', async (req, res) => {
    const step = stepOf(req);
    const { action } = req.body ?? {};
    if (action === 'later') {
      await leaveOut(deps, step);
      return seeOther(req, res, '/setup');
    }
    const typed = typedIn(req, step);
    const { isKept, ...outcome } = await keepStep(deps, step, { typed, anyway: action === 'anyway' });
    if (isKept) return seeOther(req, res, '/setup');
    await show(deps, res, { change: step, attempt: { typed, ...outcome }, status: 400 });
  });

  return pages;
}

function stepOf(req: Request): StepId {
  const { data } = stepId.safeParse(req.params.step);
  if (!data) throw new NotFound('step');
  return data;
}

/** Only the fields of the step, and only text. */
function typedIn(req: Request, step: StepId): Typed {
  const body: Record<string, unknown> = req.body ?? {};
  const pairs = FIELDS[step].map(({ name }) => [name, typeof body[name] === 'string' ? body[name] : '']);
  return Object.fromEntries(pairs);
}

type Shown = Pick<About, 'change' | 'attempt'> & { problems?: readonly string[]; status?: number };

async function show(deps: Deps, res: Response, { problems = [], status = 200, ...about }: Shown): Promise<void> {
  const { settingsFile, localUrl, proofs, render, checks } = deps;
  const kept = getSettings(deps);
  const servers = openStep(kept, about.change) === 'writer' ? await checks.modelServers() : [];
  const setup = presentSetup({ ...about, kept, proofs, servers, settingsFile, localUrl });
  const title = status === 200 ? setup.title : `Error: ${setup.title}`;
  // The page may contain what was just typed.
  res.set('Cache-Control', 'no-store');
  render.page(res, 'setup/index', { ...setup, problems, secondsWords }, { title, status });
}

function showChecks({ render }: Deps, res: Response, { errors, checks }: { errors: Errors; checks: Check[] }) {
  const wrong = Object.values(errors).map((text): Check => ({ state: 'bad', text }));
  res.set('Cache-Control', 'no-store');
  render.fragment(res, 'setup/_checks', { checks: [...wrong, ...checks], secondsWords });
}
