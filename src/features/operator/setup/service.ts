import type { StoredModel } from '../../../clients/modelStore/types.ts';
import type { ModelServer } from '../../../clients/summarizer/types.ts';
import { NotFound } from '../../../lib/errors.ts';
import { freshSecrets } from '../../../lib/freshSecrets.ts';
import { type KeptSettings, readSettings, writeSettings } from '../../../lib/settingsFile.ts';
import { StartError } from '../../../lib/startError.ts';
import { type CheckDeps, checkStep } from './checkStep.ts';
import type { ModelWork } from './createModelWork.ts';
import {
  type Errors,
  emptyStep,
  errorsIn,
  mayKeep,
  OPTIONAL_STEPS,
  settingsOf,
  type Typed,
  withKept,
} from './rules.ts';
import type { Check, StepId } from './schema.ts';

export type SetupDeps = CheckDeps & {
  settingsFile: string;
  /** What was found when a step was saved; lasts until this process ends. */
  proofs: Map<StepId, Check[]>;
  /** What is done with a model before it is chosen. */
  modelWork: ModelWork;
  /** Tells the person at the terminal. Holds no secret. */
  say: (line: string) => void;
};

/** What is saved so far. Throws StartError if the file lacks the secrets that an earlier setup made. */
export function getSettings({ settingsFile }: Pick<SetupDeps, 'settingsFile'>): KeptSettings {
  const kept = readSettings(settingsFile);
  const missing = Object.keys(freshSecrets()).filter(name => !kept[name]);
  if (Object.keys(kept).length > 0 && missing.length > 0) {
    throw new StartError(
      `${settingsFile} has no ${missing.join(', ')}. Bring the file back, or move the folder around it away to begin anew.`,
    );
  }
  return kept;
}

/** What is wrong with the input while it is typed. */
export function checkFormat(step: StepId, typed: Typed): Errors {
  return errorsIn(step, trimmed(typed), { isComplete: false });
}

/** What the services say to what was typed, once all of it is there. Saves nothing. */
export async function tryStep(
  deps: SetupDeps,
  step: StepId,
  typed: Typed,
): Promise<{ errors: Errors; checks: Check[] }> {
  const values = withKept(step, typed, getSettings(deps));
  const errors = errorsIn(step, values, { isComplete: false });
  const isWhole = Object.keys(errorsIn(step, values, { isComplete: true })).length === 0;
  return { errors, checks: isWhole ? await checkStep(deps, step, values) : [] };
}

type Outcome = { isKept: boolean; errors: Errors; checks: Check[] };

/**
 * Checks a step and saves it. If the service refuses it, it is not saved; if the service can't be reached, it is with
 * `anyway`. The secrets of the installation are made with the first step, and never again.
 */
export async function keepStep(
  deps: SetupDeps,
  step: StepId,
  { typed, anyway }: { typed: Typed; anyway: boolean },
): Promise<Outcome> {
  const values = withKept(step, typed, getSettings(deps));
  const errors = errorsIn(step, values, { isComplete: true });
  if (Object.keys(errors).length > 0) return { isKept: false, errors, checks: [] };
  const checks = await checkStep(deps, step, values);
  const isKept = mayKeep(checks, { anyway });
  if (isKept) keep(deps, step, values, checks);
  return { isKept, errors, checks };
}

/** Saves that nothing is wanted in this step. Throws NotFound for a step that can't be left out. */
export async function leaveOut(deps: SetupDeps, step: StepId): Promise<void> {
  if (!OPTIONAL_STEPS.includes(step)) throw new NotFound('step');
  const values = emptyStep(step);
  keep(deps, step, values, await checkStep(deps, step, values));
}

/** Saves the model that was tried, as it was tried. False if none was. */
export function keepTried(deps: SetupDeps): boolean {
  const work = deps.modelWork.now();
  if (work.state !== 'tried') return false;
  const { apiUrl, model, apiKey = '' } = work.service;
  const text = `${model} at ${new URL(apiUrl).host} summarized a conversation of the demo`;
  keep(deps, 'writer', { aiUrl: apiUrl, model, aiKey: apiKey }, [
    { state: 'ok', text: 'Built-in summarizer, on this machine' },
    { state: 'ok', text, seconds: work.model.seconds, fit: work.fit },
  ]);
  return true;
}

/** What this machine has for models. `stored`: undefined where the model store doesn't answer. */
export type Found = {
  servers: ModelServer[];
  stored: StoredModel[] | undefined;
  freeDiskBytes: number | undefined;
};

/** Looks for model servers, and for what the model store has. */
export async function findModels({ checks }: Pick<SetupDeps, 'checks'>): Promise<Found> {
  const { modelServers, modelStore, machine } = checks;
  const [all, stored, freeDiskBytes] = await Promise.all([modelServers(), modelStore.list(), machine.freeDiskBytes()]);
  const others = all.filter(({ apiUrl }) => stored === undefined || apiUrl !== modelStore.apiUrl);
  const models = stored?.map(({ name }) => name) ?? [];
  const { name, apiUrl } = modelStore;
  return { servers: models.length > 0 ? [{ name, apiUrl, models }, ...others] : others, stored, freeDiskBytes };
}

function keep(deps: SetupDeps, step: StepId, values: Typed, checks: Check[]): void {
  // Read again: another tab may have saved something while the service was asked.
  const kept = getSettings(deps);
  const fit = checks.find(check => check.fit)?.fit;
  writeSettings(deps.settingsFile, { ...freshSecrets(), ...kept, ...settingsOf(step, values, fit) });
  deps.proofs.set(step, checks);
  for (const { state, text } of checks) deps.say(`${state === 'ok' ? '✓' : '!'} ${text}`);
}

function trimmed(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value.trim()]));
}
