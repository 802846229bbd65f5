import { type Request, type Response, Router } from 'express';
import { seeOther } from '../../../http/seeOther.ts';
import { NotFound } from '../../../lib/errors.ts';
import { routeModels } from './routeModels.ts';
import { type Errors, isDecided, nextStep, typedIn } from './rules.ts';
import { type Check, type StepId, stepId } from './schema.ts';
import { secondsWords } from './secondsWords.ts';
import { checkFormat, getSettings, keepStep, leaveOut, tryStep } from './service.ts';
import { type ShowDeps, showSetup } from './showSetup.ts';

type Deps = ShowDeps & {
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
    await showSetup(deps, res, { change });
  });

  pages.post('/setup/finish', async (_req, res) => {
    const kept = getSettings(deps);
    const problems = nextStep(kept) ? ['Some steps are still open.'] : deps.problemsWith(kept);
    if (problems.length > 0) return showSetup(deps, res, { problems, status: 400 });
    const hasMail = Boolean(kept.MAIL_URL);
    deps.render.page(res, 'setup/finished/index', { hasMail }, { title: 'Forenoon is set up', isWide: true });
    res.once('close', deps.finish);
  });

  pages.use(routeModels(deps));

  pages.post('/setup/:step/format', (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, { errors: checkFormat(step, typedIn(step, req.body)), checks: [] });
  });

  pages.post('/setup/:step/check', async (req, res) => {
    const step = stepOf(req);
    showChecks(deps, res, await tryStep(deps, step, typedIn(step, req.body)));
  });

  pages.post('/setup/:step', async (req, res) => {
    const step = stepOf(req);
    const { action } = req.body ?? {};
    if (action === 'later') {
      await leaveOut(deps, step);
      return seeOther(req, res, '/setup');
    }
    const typed = typedIn(step, req.body);
    const { isKept, ...outcome } = await keepStep(deps, step, { typed, anyway: action === 'anyway' });
    if (isKept) return seeOther(req, res, '/setup');
    await showSetup(deps, res, { change: step, attempt: { typed, ...outcome }, status: 400 });
  });

  return pages;
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
