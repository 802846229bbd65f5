import type { Machine } from '../../../clients/modelStore/types.ts';
import type { ActionItem } from '../../../clients/summarizer/types.ts';
import { formatQuantity, formatSize } from '../../../lib/words.ts';
import { listOffers, type Step, type Timed, type Work } from './createModelWork.ts';
import { type AvailableModels, describeAi } from './service.ts';

type ModelContext = {
  work: Work;
  /** Undefined while work is under way. */
  found: AvailableModels | undefined;
  machine: Pick<Machine, 'memoryBytes' | 'platform'>;
};

export type ShownModels = ReturnType<typeof describeModels>;

/** Models in the step about the writer: the work in progress, its result, and the models to choose from. */
export function describeModels({ work, found, machine }: ModelContext) {
  const isRunning = work.state === 'running';
  const shown = {
    isRunning,
    work: work.state === 'none' || work.state === 'tried' ? undefined : describeWork(work),
    trial: work.state === 'tried' ? describeTrial(work) : undefined,
  };
  if (!found || isRunning) return { ...shown, servers: [], offers: undefined, install: undefined };
  const isNothing = found.servers.length === 0 && found.stored === undefined;
  return {
    ...shown,
    servers: found.servers.map(({ name, apiUrl, models }, index) => ({
      id: `found-${index + 1}`,
      name,
      apiUrl,
      models,
      host: new URL(apiUrl).host,
      count: formatQuantity(models.length, 'model', 'models'),
      isStore: found.stored !== undefined && found.stored.length > 0 && index === 0,
    })),
    offers: found.stored && offersOf(found, found.stored, machine),
    // Only where nothing runs. As Ollama's own download page says.
    install: isNothing ? (INSTALLING[machine.platform] ?? { system: 'this system', lines: [] }) : undefined,
  };
}

function offersOf({ freeDiskBytes }: AvailableModels, stored: { name: string }[], { memoryBytes }: ModelContext['machine']) {
  const names = new Set(stored.map(({ name }) => name));
  const offers = listOffers({ memoryBytes, freeDiskBytes }).filter(({ model }) => !names.has(model));
  if (offers.length === 0) return undefined;
  const free = freeDiskBytes === undefined ? '' : ` and ${formatSize(freeDiskBytes)} free on its disk`;
  return {
    isFirst: stored.length === 0,
    room: `This machine has ${formatSize(memoryBytes)} of memory${free}.`,
    rows: offers.map(({ model, download, memory, license, hasMemory, hasDisk }, index) => {
      const slow = hasMemory ? '' : 'More than this machine’s memory: it would be very slow, or not start.';
      return {
        id: index === 0 ? 'offer' : `offer-${index + 1}`,
        model,
        facts: `${formatSize(download)} to download, about ${formatSize(memory)} of memory, ${license}`,
        warning: hasDisk ? slow : 'Not enough room on the disk.',
        canChoose: hasDisk,
      };
    }),
  };
}

/** Two digests of the same conversation. */
function describeTrial({ service, model, builtIn }: Extract<Work, { state: 'tried' }>) {
  return {
    model: service.model,
    host: new URL(service.apiUrl).host,
    builtIn: describeDigest(builtIn),
    written: describeDigest(model),
  };
}

/** A digest with what it asks for. */
function describeDigest({ summary, seconds }: Timed) {
  return {
    seconds: secondsWords(seconds),
    summary: summary.summary,
    items: summary.structured.actionItems.map(item => ({ who: whoOf(item), text: item.text, due: item.dueText ?? '' })),
  };
}

function whoOf({ owner, ownerName, kind }: ActionItem): string {
  if (kind === 'appointment') return 'Appointment';
  if (kind === 'deadline') return 'Deadline';
  return owner === 'user' ? 'You' : (ownerName ?? 'No one named');
}

const RUNNING: Record<Step, (model: string) => { title: string; text: string }> = {
  download: model => ({ title: `Downloading ${model}`, text: 'Ollama gets it from ollama.com. Nothing of yours is sent.' }),
  prepare: model => ({
    title: `Preparing ${model}`,
    text: 'Ollama adds a variant that reads 16,384 tokens at once. It uses the same files.',
  }),
  try: model => ({
    title: `${model} is reading a conversation of the demo`,
    text: 'The first answer takes longest, since the model is loaded for it. It may take minutes.',
  }),
};

/** Work on a model for the page. `percent` of a download, if known; `again`: the button's words if a retry may help. */
function describeWork(work: Exclude<Work, { state: 'none' } | { state: 'tried' }>) {
  const { state, model, step, progress, isNew } = work;
  const isDownload = step === 'download';
  const share = progress && progress.totalBytes > 0 ? progress.doneBytes / progress.totalBytes : undefined;
  const percent = isDownload && share !== undefined ? Math.floor(100 * share) : undefined;
  const amount = progress && `${formatSize(progress.doneBytes)} of ${formatSize(progress.totalBytes)}`;
  const shown = { state, percent, isDownload };
  const name = step === 'try' ? work.service.model : model;
  if (state === 'running') {
    const { title, text } = RUNNING[step](name);
    return { ...shown, title, text: isDownload && amount ? `${amount}. ${text}` : text, again: undefined };
  }
  if (state === 'failed') return { ...shown, ...describeFailure(work), percent: undefined };
  if (!isNew || !isDownload) return { ...shown, title: `${name} was stopped`, text: '', again: 'Try again' };
  const stays = amount ? `${amount} are here and stay until Ollama restarts.` : 'Nothing was downloaded yet.';
  return { ...shown, title: `The download of ${model} was cancelled`, text: stays, again: amount ? 'Resume' : 'Download' };
}

type Words = { title: string; text: string; again: string | undefined };

function describeFailure({ code, error, model, step, free, service }: Extract<Work, { state: 'failed' }>): Words {
  if (step === 'try') {
    if (!error) return { title: 'That didn’t work', text: 'The reason is unknown.', again: 'Try again' };
    const { text, advice = '' } = describeAi(new URL(service.apiUrl).host, error);
    return { title: text, text: advice, again: 'Try again' };
  }
  const left = free === undefined ? '' : ` ${formatSize(free)} are free.`;
  const words: Record<string, Words> = {
    DISK_FULL: {
      title: `The disk has no room for ${model}`,
      text: `Make room, or choose a smaller model.${left} What was downloaded stays until Ollama restarts.`,
      again: step === 'download' ? 'Resume' : 'Try again',
    },
    UNKNOWN_MODEL: {
      title: `Ollama doesn’t know ${model}`,
      text: 'Its library may have renamed it. Choose another model.',
      again: undefined,
    },
    MODEL_REFUSED: {
      title: step === 'download' ? `Ollama couldn’t download ${model}` : `Ollama couldn’t prepare ${model}`,
      text: 'Check your connection and whether Ollama is up to date.',
      again: 'Try again',
    },
  };
  const broken = {
    title: step === 'download' ? `The download of ${model} broke off` : 'Ollama stopped answering',
    text: 'Check that Ollama is running, and your connection. Resuming continues where it stopped.',
    again: step === 'download' ? 'Resume' : 'Try again',
  };
  return words[code] ?? broken;
}

const INSTALLING: Partial<Record<NodeJS.Platform, { system: string; lines: string[] }>> = {
  linux: { system: 'Linux', lines: ['curl -fsSL https://ollama.com/install.sh | sh'] },
  darwin: { system: 'macOS', lines: ['brew install ollama', 'brew services start ollama'] },
  win32: { system: 'Windows', lines: ['winget install --id Ollama.Ollama'] },
};

/** `0.4 s`. Never 0.0. */
export function secondsWords(seconds: number): string {
  return `${seconds < 10 ? Math.max(0.1, seconds).toFixed(1) : Math.round(seconds)} s`;
}
