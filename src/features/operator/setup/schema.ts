import { z } from 'zod';
import type { Machine, ModelStore } from '../../../clients/modelStore/types.ts';
import type { CheckAddress } from '../../../clients/ownAddress/types.ts';
import type { AiFormat, ModelServer, Summary } from '../../../clients/summarizer/types.ts';
import { isPrivate } from '../../../lib/hosts.ts';
import { MAIL_SENDER } from '../../../lib/variables.ts';
import { emailAddress } from '../../base/users/schema.ts';

export const STEPS = ['telegram', 'writer', 'crm', 'address', 'owner'] as const;
export type StepId = (typeof STEPS)[number];
export const stepId = z.enum(STEPS);

/** A field of a step's form, and the variable that keeps it. */
type Field = {
  name: string;
  variable: string;
  /**
   * Never shown once it is saved. If left empty, its value stays as long as the field named here is unchanged; a field
   * that names itself always keeps its value.
   */
  secretOf?: string;
  /** The field may be empty although the step is chosen. */
  isOptional?: boolean;
};

export const FIELDS: Record<StepId, Field[]> = {
  telegram: [
    { name: 'apiId', variable: 'MESSENGER_API_ID' },
    { name: 'apiHash', variable: 'MESSENGER_API_HASH', secretOf: 'apiId' },
  ],
  writer: [
    { name: 'aiUrl', variable: 'AI_API_URL' },
    { name: 'model', variable: 'AI_MODEL' },
    { name: 'aiKey', variable: 'AI_API_KEY', secretOf: 'aiUrl', isOptional: true },
  ],
  crm: [{ name: 'accessKey', variable: 'CRM_ACCESS_TOKEN', secretOf: 'accessKey' }],
  address: [{ name: 'appUrl', variable: 'APP_URL' }],
  owner: [
    { name: 'email', variable: 'OWNER_EMAIL' },
    { name: 'mailUrl', variable: 'MAIL_URL', secretOf: 'mailFrom', isOptional: true },
    { name: 'mailFrom', variable: 'MAIL_FROM', isOptional: true },
  ],
};

const line = z
  .string()
  .max(2000, 'This is too long.')
  .regex(/^\P{Cc}*$/u, 'This contains an invalid character.');

/** http is allowed only if nothing crosses the internet. */
const webAddress = line.refine(text => {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && isPrivate(url.hostname);
}, 'Enter an address with https://. http:// is for this machine and private networks.');

/** The format of a value, if there is one. */
export const FORMATS: Record<string, z.ZodType<string>> = {
  apiId: line.regex(/^\d{1,10}$/, 'api_id is a number, for example 2814417.'),
  apiHash: line.regex(/^[\da-f]{32}$/i, 'api_hash has 32 characters: 0 to 9 and a to f.'),
  aiUrl: webAddress,
  model: line,
  aiKey: line,
  accessKey: line.regex(/^[\w-]{8,300}$/, 'The key has letters, digits and hyphens only.'),
  appUrl: webAddress.refine(text => URL.parse(text)?.pathname === '/', 'Enter the address without a path.'),
  email: emailAddress,
  mailUrl: line.refine(
    text => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''),
    'It looks like smtps://user:password@mail.example:465. Encode special characters of the password.',
  ),
  mailFrom: line.regex(MAIL_SENDER, 'Enter an address, or Name <address>.'),
};

/** The error of a missing field. */
export const MISSING: Record<string, string> = {
  apiId: 'Enter the api_id.',
  apiHash: 'Enter the api_hash.',
  aiUrl: 'Enter the server’s address.',
  model: 'Enter the model’s name.',
  accessKey: 'Enter the key.',
  appUrl: 'Enter the public address.',
  email: 'Enter your email address.',
  mailUrl: 'Enter the mail server, too.',
  mailFrom: 'Enter the sender, too.',
};

export type ModelService = { apiUrl: string; model: string; apiKey: string | undefined };

/** Request options found by trying a model. `contextTokens` is undefined if its server doesn't say. */
export type ModelFit = { format: AiFormat; contextTokens: number | undefined };

/** Asks the outside services, through their real clients. Each has a deadline and throws ClientError unless noted. */
export type ServiceChecks = {
  messenger(keys: { apiId: number; apiHash: string }): Promise<void>;
  ai(service: ModelService): Promise<ModelFit>;
  /** Has a conversation of the demo summarized by a model, or by the built-in summarizer where none is named. */
  demo(service: ModelService | undefined, signal: AbortSignal): Promise<{ summary: Summary; fit?: ModelFit }>;
  /** The model servers on this machine that answer at their usual port. Never throws. */
  modelServers(): Promise<ModelServer[]>;
  /** The server that stores models on this machine. */
  modelStore: ModelStore;
  machine: Machine;
  /** Returns the id of the account that the key opens. */
  crm(key: string): Promise<string>;
  mail(server: { url: string; from: string }): Promise<void>;
  address: CheckAddress;
};

/** `canWait`: what failed may work later, so it may be saved all the same. */
export type Check = {
  state: 'ok' | 'warn' | 'bad';
  text: string;
  seconds?: number;
  advice?: string;
  canWait?: boolean;
  /** Request options, saved with the step. */
  fit?: ModelFit;
};
