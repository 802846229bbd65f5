import { sizeWords } from '../../../lib/words.ts';
import { describeAi } from './checkStep.ts';
import type { Step, Work } from './createModelWork.ts';

type Shown = Exclude<Work, { state: 'none' } | { state: 'tried' }>;
type Failed = Extract<Work, { state: 'failed' }>;

export type ShownWork = {
  state: Shown['state'];
  title: string;
  text: string;
  /** Of a download; undefined while nothing is known of it. */
  percent: number | undefined;
  /** What the button says, where trying again may help. */
  again: string | undefined;
  isDownload: boolean;
};

const RUNNING: Record<Step, (model: string) => { title: string; text: string }> = {
  download: model => ({
    title: `Downloading ${model}`,
    text: 'Ollama gets it from ollama.com. Nothing of yours is sent.',
  }),
  prepare: model => ({
    title: `Preparing ${model}`,
    text: 'Ollama adds a variant that reads 16,384 tokens at once. It uses the same files.',
  }),
  try: model => ({
    title: `${model} is reading a conversation of the demo`,
    text: 'The first answer takes longest, since the model is loaded for it. It may take minutes.',
  }),
};

/** Work on a model as the page says it. */
export function describeWork(work: Shown): ShownWork {
  const { state, model, step, progress, isNew } = work;
  const isDownload = step === 'download';
  const share = progress && progress.totalBytes > 0 ? progress.doneBytes / progress.totalBytes : undefined;
  const percent = isDownload && share !== undefined ? Math.floor(100 * share) : undefined;
  const amount = progress && `${sizeWords(progress.doneBytes)} of ${sizeWords(progress.totalBytes)}`;
  const shown = { state, percent, isDownload };
  const name = step === 'try' ? work.service.model : model;
  if (state === 'running') {
    const { title, text } = RUNNING[step](name);
    return { ...shown, title, text: isDownload && amount ? `${amount}. ${text}` : text, again: undefined };
  }
  if (state === 'failed') return { ...shown, ...describeFailure(work), percent: undefined };
  if (!isNew || !isDownload) return { ...shown, title: `${name} was stopped`, text: '', again: 'Try again' };
  const stays = amount ? `${amount} are here and stay until Ollama restarts.` : 'Nothing was downloaded yet.';
  return {
    ...shown,
    title: `The download of ${model} was cancelled`,
    text: stays,
    again: amount ? 'Resume' : 'Download',
  };
}

type Words = { title: string; text: string; again: string | undefined };

function describeFailure({ code, error, model, step, free, service }: Failed): Words {
  if (step === 'try') {
    if (!error) return { title: 'That didn’t work', text: 'The reason is unknown.', again: 'Try again' };
    const { text, advice = '' } = describeAi(new URL(service.apiUrl).host)(error);
    return { title: text, text: advice, again: 'Try again' };
  }
  const left = free === undefined ? '' : ` ${sizeWords(free)} are free.`;
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
