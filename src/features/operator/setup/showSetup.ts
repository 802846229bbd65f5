import type { Response } from 'express';
import type { Renderer } from '../../../http/render.ts';
import { describeModels, type ShownModels } from './describeModels.ts';
import { type About, presentSetup } from './present.ts';
import { openStep } from './rules.ts';
import { secondsWords } from './secondsWords.ts';
import { findModels, getSettings, type SetupDeps } from './service.ts';

export type ShowDeps = SetupDeps & { render: Renderer };

/** Seconds after which a browser without JavaScript asks how far a model is. */
const REFRESH_SECONDS = 3;

type Shown = Pick<About, 'change' | 'attempt'> & { problems?: readonly string[]; status?: number };

/** The setup page, with the form of the step that is open. */
export async function showSetup(
  deps: ShowDeps,
  res: Response,
  { problems = [], status = 200, ...about }: Shown,
): Promise<void> {
  const { settingsFile, localUrl, proofs, render } = deps;
  const kept = getSettings(deps);
  const models = openStep(kept, about.change) === 'writer' ? await lookForModels(deps) : undefined;
  const setup = presentSetup({ ...about, kept, proofs, models, settingsFile, localUrl });
  const title = status === 200 ? setup.title : `Error: ${setup.title}`;
  // The page may contain what was just typed.
  res.set('Cache-Control', 'no-store');
  const refresh = models?.isRunning ? { refreshSeconds: REFRESH_SECONDS } : {};
  render.page(res, 'setup/index', { ...setup, problems, secondsWords }, { title, status, ...refresh });
}

/** The part about models, which asks again while something is under way. */
export async function showModels(deps: ShowDeps, res: Response): Promise<void> {
  res.set('Cache-Control', 'no-store');
  deps.render.fragment(res, 'setup/_models', { models: await lookForModels(deps) });
}

/** Nothing is asked while work is under way: its page shows that alone. */
async function lookForModels(deps: SetupDeps): Promise<ShownModels> {
  const { modelWork, checks } = deps;
  const found = modelWork.now().state === 'running' ? undefined : await findModels(deps);
  return describeModels({ work: modelWork.now(), found, machine: checks.machine });
}
