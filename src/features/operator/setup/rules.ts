import { ClientError } from '../../../clients/errors.ts';
import { isPrivate } from '../../../lib/hosts.ts';
import type { KeptSettings } from '../../../lib/settingsFile.ts';
import { type Check, FIELDS, FORMATS, MISSING, type ModelFit, STEPS, type StepId } from './schema.ts';

/** The values that were typed, by the name of the field. */
export type FormValues = Record<string, string>;
export type Errors = Record<string, string>;

/** Whether the step's variables are saved, even as empty ones. For the CRM, an app saved by an earlier setup counts. */
export function isStepDecided(step: StepId, kept: KeptSettings): boolean {
  const isOfApp = step === 'crm' && kept.CRM_CLIENT_ID !== undefined;
  return isOfApp || FIELDS[step].some(({ variable }) => kept[variable] !== undefined);
}

/** The first step that is open. Undefined when all are decided. */
export function nextStep(kept: KeptSettings): StepId | undefined {
  return STEPS.find(step => !isStepDecided(step, kept));
}

/** The step whose form is shown; undefined if all are completed and none is to be changed. */
export function openStep(kept: KeptSettings, change: StepId | undefined): StepId | undefined {
  return change ?? nextStep(kept);
}

/** The step's fields as they were typed, by name; '' for each that is missing or not a text. */
export function readTyped(step: StepId, body: Record<string, unknown> = {}): FormValues {
  const pairs = FIELDS[step].map(({ name }) => [name, typeof body[name] === 'string' ? body[name] : '']);
  return Object.fromEntries(pairs);
}

/** Fills secrets that were left empty with the saved ones, as long as they belong to the same thing. */
export function fillInSecrets(step: StepId, typed: FormValues, kept: KeptSettings): FormValues {
  const keptValue = (name: string) => kept[FIELDS[step].find(field => field.name === name)?.variable ?? ''] ?? '';
  const pairs = FIELDS[step].map(({ name, variable, secretOf }) => {
    const value = typed[name]?.trim() ?? '';
    const isSame = secretOf === name || (secretOf !== undefined && keptValue(secretOf) === typed[secretOf]?.trim());
    const stays = value === '' && isSame;
    return [name, stays ? (kept[variable] ?? '') : value];
  });
  return Object.fromEntries(pairs);
}

/** The errors of the fields; empty fields count only if all must be filled in. */
export function errorsIn(step: StepId, typed: FormValues, { isComplete }: { isComplete: boolean }): Errors {
  const errors: Errors = {};
  const isHalfOfPair = Boolean(typed.mailFrom) !== Boolean(typed.mailUrl);
  for (const { name, isOptional } of FIELDS[step]) {
    const value = typed[name] ?? '';
    if (value === '') {
      if (isComplete && (!isOptional || (name.startsWith('mail') && isHalfOfPair)))
        errors[name] = MISSING[name] ?? 'This is missing.';
      continue;
    }
    const parsed = FORMATS[name]?.safeParse(value);
    if (parsed?.error) errors[name] = parsed.error.issues[0]?.message ?? 'This isn’t valid.';
  }
  return errors;
}

/** Maximum number of tokens that a model is asked to read at once. No day of messages needs more. */
const MAX_CONTEXT_TOKENS = 131_072;

/** The variables of a step, as they are saved. */
export function settingsOf(step: StepId, typed: FormValues, fit?: ModelFit): KeptSettings {
  const values = FIELDS[step].map(({ name, variable }) => {
    const value = typed[name] ?? '';
    return [variable, value === '' ? '' : String(FORMATS[name]?.parse(value) ?? value)];
  });
  const settings: KeptSettings = Object.fromEntries(values);
  // Clears an app that an earlier setup saved.
  if (step === 'crm') return { ...settings, CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '' };
  // The proxy in front of a public address runs on this machine: nothing else reaches a service on loopback.
  if (step === 'address') return { ...settings, TRUST_PROXY: settings.APP_URL === '' ? '' : 'loopback' };
  if (step !== 'writer') return settings;
  const tokens = fit?.contextTokens && Math.min(fit.contextTokens, MAX_CONTEXT_TOKENS);
  const fitted = { AI_FORMAT: fit?.format ?? '', AI_CONTEXT_TOKENS: String(tokens ?? '') };
  return { ...settings, ...limitsFor(settings.AI_API_URL), ...fitted };
}

/** A model on one's own machine is slower than those on the internet, and handles one request at a time. */
function limitsFor(aiUrl = ''): KeptSettings {
  const isOwn = isPrivate(URL.parse(aiUrl)?.hostname ?? 'elsewhere.example');
  return isOwn ? { AI_CONCURRENCY: '1', AI_TIMEOUT: '300' } : { AI_CONCURRENCY: '', AI_TIMEOUT: '' };
}

export const OPTIONAL_STEPS: readonly StepId[] = ['writer', 'crm', 'address'];

export function mayKeep(checks: Check[], { anyway }: { anyway: boolean }): boolean {
  const failed = checks.filter(({ state }) => state === 'bad');
  return failed.length === 0 || (anyway && failed.every(({ canWait }) => canWait));
}

/** Shows half of it, so that it is recognized but can't be read off a screen. */
export function maskId(id: string): string {
  return `${id.slice(0, Math.ceil(id.length / 2))} ••••`;
}

/** Tokens. With fewer there is no room for a conversation beside the instructions and the answer. */
const MIN_CONTEXT_TOKENS = 4096;

/** Throws ClientError `AI_CONTEXT_TOO_SMALL`. */
export function refuseTooSmall({ contextTokens = MIN_CONTEXT_TOKENS }: ModelFit): void {
  if (contextTokens >= MIN_CONTEXT_TOKENS) return;
  throw new ClientError({ service: 'summarizer', kind: 'permanent', code: 'AI_CONTEXT_TOO_SMALL' });
}
