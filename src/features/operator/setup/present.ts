import type { KeptSettings } from '../../../lib/settingsFile.ts';
import { formatQuantity } from '../../../lib/words.ts';
import type { ShownModels } from './describeModels.ts';
import { type Errors, type FormValues, isStepDecided, maskId, OPTIONAL_STEPS, openStep } from './rules.ts';
import { type Check, FIELDS, STEPS, type StepId } from './schema.ts';

const TITLES: Record<StepId, string> = {
  telegram: 'Telegram API keys',
  writer: 'Who writes the digests',
  crm: 'HubSpot',
  address: 'Address',
  owner: 'You',
};

const HEADINGS: Record<StepId, string> = {
  telegram: 'First, Telegram',
  writer: 'Who writes the digests?',
  crm: 'Now HubSpot',
  address: 'Where is it open?',
  owner: 'And you',
};

const TO_COME: Record<StepId, string> = {
  telegram: 'An api_id and an api_hash of your own, from my.telegram.org.',
  writer: 'The built-in summarizer, or a model of yours.',
  crm: 'Notes on your contacts. It can wait.',
  address: 'Only this machine, or a public address with HTTPS.',
  owner: 'Sign in with a link from the terminal. No mail server needed.',
};

type FieldWords = { label: string; type: string; hint: string; attributes: string };

const PLAIN = 'autocomplete="off" autocapitalize="none" spellcheck="false"';

const FIELD_WORDS: Record<string, FieldWords> = {
  apiId: { label: 'api_id', type: 'text', hint: '', attributes: `${PLAIN} inputmode="numeric" required` },
  apiHash: { label: 'api_hash', type: 'password', hint: '', attributes: PLAIN },
  aiUrl: {
    label: 'Server address',
    type: 'url',
    hint: 'It implements OpenAI’s chat completions, for example http://127.0.0.1:11434/v1.',
    attributes: PLAIN,
  },
  model: { label: 'Model', type: 'text', hint: 'As the server calls it, for example qwen3:14b.', attributes: PLAIN },
  aiKey: { label: 'Key (optional)', type: 'password', hint: 'Only if the server asks for one.', attributes: PLAIN },
  accessKey: { label: 'Service key', type: 'password', hint: '', attributes: PLAIN },
  appUrl: { label: 'Public address', type: 'url', hint: 'For example https://forenoon.example.', attributes: PLAIN },
  email: {
    label: 'Your email address',
    type: 'email',
    hint: 'Your account has this address. No one else can sign in.',
    attributes: 'autocomplete="email" required',
  },
  mailUrl: {
    label: 'Mail server (optional)',
    type: 'password',
    hint: 'smtps://user:password@mail.example:465. It sends sign-in links and digests.',
    attributes: PLAIN,
  },
  mailFrom: { label: 'Sender (optional)', type: 'text', hint: 'Forenoon <hello@forenoon.example>', attributes: PLAIN },
};

export type SetupContext = {
  kept: KeptSettings;
  proofs: ReadonlyMap<StepId, Check[]>;
  change?: StepId | undefined;
  /** The input of the open step, and the result of checking it. */
  attempt?: { typed: FormValues; errors: Errors; checks: Check[] } | undefined;
  /** The models, only if one may be chosen. */
  models: ShownModels | undefined;
  settingsFile: string;
  localUrl: string;
};

export function presentSetup({ kept, proofs, change, attempt, models, settingsFile, localUrl }: SetupContext) {
  const open = openStep(kept, change);
  const done = STEPS.filter(step => isStepDecided(step, kept)).length;
  const left = STEPS.length - done;
  const progress = open === undefined ? 'All 5 steps done' : `Step ${STEPS.indexOf(open) + 1} of ${STEPS.length}`;
  return {
    title: open === undefined ? 'Ready to start' : HEADINGS[open],
    progress:
      open === undefined || change ? progress : `${progress}, about ${formatQuantity(left, 'minute', 'minutes')} left`,
    done,
    total: STEPS.length,
    settingsFile,
    localUrl,
    isReady: open === undefined,
    steps: STEPS.map((id, index) => {
      const decided = isStepDecided(id, kept) ? 'done' : 'todo';
      const state = id === open ? 'now' : decided;
      const checks = state === 'done' ? (proofs.get(id) ?? proofOf(id, kept)) : [];
      return { id, number: index + 1, title: TITLES[id], state, words: TO_COME[id], checks };
    }),
    models,
    form: open && presentForm(open, { kept, attempt }),
  };
}

function presentForm(step: StepId, { kept, attempt }: Pick<SetupContext, 'kept' | 'attempt'>) {
  const { errors = {}, checks = [] } = attempt ?? {};
  return {
    step,
    errors,
    checks,
    mayLeaveOut: OPTIONAL_STEPS.includes(step),
    canSaveAnyway:
      checks.some(({ state }) => state === 'bad') && checks.every(check => check.state !== 'bad' || check.canWait),
    fields: FIELDS[step].map(({ name, variable, secretOf }) => {
      const { hint, ...words } = FIELD_WORDS[name] as FieldWords;
      const isKept = secretOf !== undefined && Boolean(kept[variable]);
      const value = attempt?.typed[name] ?? (secretOf === undefined ? (kept[variable] ?? '') : '');
      const stays = 'Kept, and not shown again. Leave it empty to keep it.';
      return { id: name, ...words, hint: isKept ? stays : hint, value, error: errors[name] };
    }),
  };
}

/** The proof shown for a step that an earlier setup decided. */
function proofOf(step: StepId, kept: KeptSettings): Check[] {
  const { AI_MODEL: model, CRM_CLIENT_ID: clientId } = kept;
  const aiHost = URL.parse(kept.AI_API_URL ?? '')?.host ?? 'its vendor';
  const app = clientId ? `App ${maskId(clientId)}` : 'Not now';
  const texts: Record<StepId, string> = {
    telegram: `App ${maskId(kept.MESSENGER_API_ID ?? '')}`,
    writer: model ? `${model} at ${aiHost}` : 'Built-in summarizer, on this machine',
    crm: kept.CRM_ACCESS_TOKEN ? 'The key of your account' : app,
    address: kept.APP_URL || 'Only this machine',
    owner: `${kept.OWNER_EMAIL ?? ''}, ${kept.MAIL_URL ? 'with email' : 'with a link from the terminal'}`,
  };
  return [{ state: 'ok', text: texts[step] }];
}
