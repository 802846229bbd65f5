import { ClientError } from '../../../clients/errors.ts';
import type { StoredModel } from '../../../clients/modelStore/types.ts';
import type { AddressAnswer } from '../../../clients/ownAddress/types.ts';
import type { ModelServer } from '../../../clients/summarizer/types.ts';
import { createSecrets } from '../../../lib/crypto.ts';
import { NotFound, StartError } from '../../../lib/errors.ts';
import { type KeptSettings, readSettings, writeSettings } from '../../../lib/settingsFile.ts';
import type { ModelWork } from './createModelWork.ts';
import * as rules from './rules.ts';
import type { Check, ServiceChecks, StepId } from './schema.ts';

export type SetupDeps = CheckDeps & {
  settingsFile: string;
  /** The results of the checks when a step was saved; kept until this process ends. */
  proofs: Map<StepId, Check[]>;
  /** Downloads and tries models before one is chosen. */
  modelWork: ModelWork;
  /** Tells the person at the terminal. Holds no secret. */
  say: (line: string) => void;
};

/** The settings saved so far. Throws StartError if the file lacks the secrets that an earlier setup made. */
export function getSavedSettings({ settingsFile }: Pick<SetupDeps, 'settingsFile'>): KeptSettings {
  const kept = readSettings(settingsFile);
  const missing = Object.keys(createSecrets()).filter(name => !kept[name]);
  if (Object.keys(kept).length > 0 && missing.length > 0) {
    throw new StartError(
      `${settingsFile} has no ${missing.join(', ')}. Bring the file back, or move the folder around it away to begin anew.`,
    );
  }
  return kept;
}

/** The errors of the input while it is typed. */
export function checkFormat(step: StepId, typed: rules.FormValues): rules.Errors {
  const trimmed = Object.entries(typed).map(([name, value]) => [name, value.trim()]);
  return rules.errorsIn(step, Object.fromEntries(trimmed), { isComplete: false });
}

/** Checks complete input with the outside services. Saves nothing. */
export async function tryStep(deps: SetupDeps, step: StepId, typed: rules.FormValues) {
  const values = rules.fillInSecrets(step, typed, getSavedSettings(deps));
  const errors = rules.errorsIn(step, values, { isComplete: false });
  const isWhole = Object.keys(rules.errorsIn(step, values, { isComplete: true })).length === 0;
  return { errors, checks: isWhole ? await CHECKS[step](deps, values) : [] };
}

/**
 * Checks a step and saves it. If the service refuses it, it is not saved; if the service can't be reached, it is with
 * `anyway`. The secrets of the installation are made with the first step, and never again.
 */
export async function keepStep(
  deps: SetupDeps,
  step: StepId,
  { typed, anyway }: { typed: rules.FormValues; anyway: boolean },
) {
  const values = rules.fillInSecrets(step, typed, getSavedSettings(deps));
  const errors = rules.errorsIn(step, values, { isComplete: true });
  if (Object.keys(errors).length > 0) return { isKept: false, errors, checks: [] };
  const checks = await CHECKS[step](deps, values);
  const isKept = rules.mayKeep(checks, { anyway });
  if (isKept) storeStep(deps, step, values, checks);
  return { isKept, errors, checks };
}

/** Saves that nothing is wanted in this step. Throws NotFound for a step that can't be left out. */
export async function skipStep(deps: SetupDeps, step: StepId): Promise<void> {
  if (!rules.OPTIONAL_STEPS.includes(step)) throw new NotFound('step');
  const values = rules.readTyped(step);
  storeStep(deps, step, values, await CHECKS[step](deps, values));
}

/** Saves the model that was tried, as it was tried. False if none was. */
export function saveTriedModel(deps: SetupDeps): boolean {
  const work = deps.modelWork.current();
  if (work.state !== 'tried') return false;
  const { apiUrl, model, apiKey = '' } = work.service;
  const text = `${model} at ${new URL(apiUrl).host} summarized a conversation of the demo`;
  storeStep(deps, 'writer', { aiUrl: apiUrl, model, aiKey: apiKey }, [
    { state: 'ok', text: 'Built-in summarizer, on this machine' },
    { state: 'ok', text, seconds: work.model.seconds, fit: work.fit },
  ]);
  return true;
}

/** The model servers and models of this machine. `stored`: undefined if the model store doesn't answer. */
export type AvailableModels = {
  servers: ModelServer[];
  stored: StoredModel[] | undefined;
  freeDiskBytes: number | undefined;
};

/** Looks for model servers, and for what the model store has. */
export async function findModels({ checks }: Pick<SetupDeps, 'checks'>): Promise<AvailableModels> {
  const { modelServers, modelStore, machine } = checks;
  const [all, stored, freeDiskBytes] = await Promise.all([modelServers(), modelStore.list(), machine.freeDiskBytes()]);
  const others = all.filter(({ apiUrl }) => stored === undefined || apiUrl !== modelStore.apiUrl);
  const models = stored?.map(({ name }) => name) ?? [];
  const { name, apiUrl } = modelStore;
  return { servers: models.length > 0 ? [{ name, apiUrl, models }, ...others] : others, stored, freeDiskBytes };
}

function storeStep(deps: SetupDeps, step: StepId, values: rules.FormValues, checks: Check[]): void {
  // Read again: another tab may have saved something while the service was asked.
  const kept = getSavedSettings(deps);
  const fit = checks.find(check => check.fit)?.fit;
  writeSettings(deps.settingsFile, { ...createSecrets(), ...kept, ...rules.settingsOf(step, values, fit) });
  deps.proofs.set(step, checks);
  for (const { state, text } of checks) deps.say(`${state === 'ok' ? '✓' : '!'} ${text}`);
}

type CheckDeps = { checks: ServiceChecks; localUrl: string };

/** Asks the service behind a step, and says what it found. `values` are complete, or all empty if nothing is wanted. */
const CHECKS: Record<StepId, (deps: CheckDeps, values: rules.FormValues) => Promise<Check[]>> = {
  telegram: async ({ checks }, { apiId = '', apiHash = '' }) => [
    await timeCheck(describeTelegram, async () => {
      await checks.messenger({ apiId: Number(apiId), apiHash });
      return { text: `Telegram accepts them: app ${rules.maskId(apiId)}` };
    }),
  ],
  writer: async ({ checks }, { aiUrl = '', model = '', aiKey = '' }) => {
    const builtIn: Check = { state: 'ok', text: 'Built-in summarizer, on this machine' };
    if (model === '') return [builtIn];
    const { host } = new URL(aiUrl);
    const asked = await timeCheck(
      error => describeAi(host, error),
      async () => {
        const fit = await checks.ai({ apiUrl: aiUrl, model, apiKey: aiKey || undefined });
        rules.refuseTooSmall(fit);
        return { text: `${model} at ${host} summarized a sample`, fit };
      },
    );
    return [builtIn, asked];
  },
  crm: async ({ checks }, { accessKey = '' }) => {
    if (accessKey === '') return [{ state: 'ok', text: 'Not now' }];
    const ask = async () => ({ text: `HubSpot accepts the key: account ${await checks.crm(accessKey)}` });
    return [await timeCheck(describeCrm, ask)];
  },
  address: async ({ checks, localUrl }, { appUrl = '' }) =>
    appUrl === ''
      ? [{ state: 'ok', text: `Only this machine: ${localUrl}` }]
      : [await timedAnswer(checks, appUrl, localUrl)],
  owner: async ({ checks }, { email = '', mailUrl = '', mailFrom = '' }) => {
    const owner: Check = { state: 'ok', text: `Only ${email} can sign in` };
    if (mailUrl === '') return [owner, { state: 'ok', text: 'With a link from the terminal: npm run sign-in-link' }];
    const { hostname } = new URL(mailUrl);
    const asked = await timeCheck(
      error => describeMail(hostname, error),
      async () => {
        await checks.mail({ url: mailUrl, from: mailFrom });
        return { text: `${hostname} accepts email` };
      },
    );
    return [owner, asked];
  },
};

type Finding = Omit<Check, 'state' | 'seconds'> & { state?: Check['state'] };

/** What a service answered, with the seconds that took, or how it failed. */
async function timeCheck(describe: (error: ClientError) => Finding, ask: () => Promise<Finding>): Promise<Check> {
  const begun = performance.now();
  try {
    const found = await ask();
    return { state: 'ok', ...found, seconds: (performance.now() - begun) / 1000 };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { state: 'bad', ...describe(error) };
  }
}

function describeTelegram({ code }: ClientError): Finding {
  if (code === 'API_KEYS_INVALID') {
    const advice = 'Copy both again from my.telegram.org, API development tools. They belong together.';
    return { text: 'Telegram doesn’t accept this pair', advice };
  }
  return unreached('Telegram', 'Check your connection. Telegram is blocked in some networks.');
}

/** Describes why the server at `host` failed to write a summary. */
export function describeAi(host: string, { code, kind }: ClientError): Finding {
  if (code === 'TIMEOUT') {
    const advice = 'Digests would take as long. A smaller model answers faster.';
    return { state: 'warn', text: `${host} took too long for a sample`, advice };
  }
  if (code === 'AI_BAD_OUTPUT') {
    return { text: `${host} didn’t answer with a digest`, advice: 'Try a larger model.', canWait: true };
  }
  if (code === 'AI_CONTEXT_TOO_SMALL') {
    const advice = 'Give it a context of at least 8,192 tokens, in Ollama with OLLAMA_CONTEXT_LENGTH=16384.';
    return { text: `The model at ${host} reads too little at once`, advice, canWait: true };
  }
  if (kind === 'permanent') {
    const advice = 'Check the model’s name, the key, and whether the address ends with /v1.';
    return { text: `${host} refused the request`, advice };
  }
  return unreached(host, 'Is the server running? The address usually ends with /v1.');
}

function describeCrm({ code }: ClientError): Finding {
  if (code === 'CRM_AUTH') {
    const advice = 'Copy it again from HubSpot: Development, Keys, Service keys.';
    return { text: 'HubSpot doesn’t accept this key', advice };
  }
  if (code === 'CRM_SCOPE_MISSING') {
    return { text: 'The key may not read contacts', advice: 'Add the scopes above to the key in HubSpot.' };
  }
  return unreached('HubSpot', 'Check your connection.');
}

function describeMail(hostname: string, { code, kind }: ClientError): Finding {
  if (kind === 'auth') return { text: `${hostname} refused the user name or password` };
  if (code === 'TLS_FAILED') {
    const advice = 'Use smtps:// with port 465, or smtp:// with 587.';
    return { text: `The connection to ${hostname} can’t be encrypted`, advice };
  }
  const advice = 'Many networks block ports 25, 465 and 587. If your provider offers port 2525 or 2587, try that.';
  return unreached(hostname, advice);
}

const unreached = (what: string, advice: string): Finding => ({ text: `${what} didn’t answer`, advice, canWait: true });

async function timedAnswer(checks: ServiceChecks, appUrl: string, localUrl: string): Promise<Check> {
  const begun = performance.now();
  const answer = await checks.address(appUrl);
  const { host } = new URL(appUrl);
  const lead = `Once Forenoon runs, a proxy on this machine must lead from there to ${localUrl}.`;
  const findings: Record<AddressAnswer, Check> = {
    answers: { state: 'ok', text: `${host} answers`, advice: lead, seconds: (performance.now() - begun) / 1000 },
    silent: { state: 'warn', text: `Nothing answers at ${host} yet`, advice: lead },
    unknownName: { state: 'bad', text: `There is no address for ${host}`, advice: 'Add it to your DNS.', canWait: true },
    badCertificate: { state: 'bad', text: `The certificate of ${host} isn’t valid`, canWait: true },
  };
  return findings[answer];
}
