import { ClientError } from '../../../clients/errors.ts';
import type { Progress } from '../../../clients/modelStore/types.ts';
import type { Summary } from '../../../clients/summarizer/types.ts';
import { refuseTooSmall } from './rules.ts';
import type { ModelFit, ModelService, ServiceChecks } from './schema.ts';

/** A digest with the seconds that it took. */
export type Timed = { summary: Summary; seconds: number };
export type Step = 'download' | 'prepare' | 'try';

/** A model to try. `isNew`: it is downloaded first. */
type ModelTask = { service: ModelService; isNew: boolean };

/** `progress` of a download, also of one that ended early. */
type Attempt = { model: string; isNew: boolean; service: ModelService; step: Step; progress: Progress | undefined };

export type Work =
  | { state: 'none' }
  | ({ state: 'running' } & Attempt)
  | ({ state: 'cancelled' } & Attempt)
  | ({ state: 'failed'; code: string; free?: number; error?: ClientError } & Attempt)
  | { state: 'tried'; service: ModelService; fit: ModelFit; model: Timed; builtIn: Timed };

export type ModelWork = ReturnType<typeof createModelWork>;

/** The one piece of work on a model that a setup page has under way, in this process's memory. Saves nothing. */
export function createModelWork({ demo, modelStore, machine }: Pick<ServiceChecks, 'demo' | 'modelStore' | 'machine'>) {
  let work: Work = { state: 'none' };
  let cancelling = new AbortController();
  let running = Promise.resolve();

  function start(task: ModelTask): void {
    if (work.state === 'running') return;
    cancelling = new AbortController();
    const { model } = task.service;
    const progress = task.isNew ? progressBefore(model) : undefined;
    work = { state: 'running', model, ...task, step: task.isNew ? 'download' : 'try', progress };
    running = run(task, progress, cancelling.signal).catch(error => end(error));
  }

  /** The progress of an earlier download of the same model that ended early. */
  function progressBefore(model: string): Progress | undefined {
    if (work.state !== 'cancelled' && work.state !== 'failed') return undefined;
    return work.model === model ? work.progress : undefined;
  }

  /** Ends the work as cancelled or failed; the step and the progress that it came to are kept. */
  function end(error: unknown): void {
    if (work.state !== 'running') return;
    if (cancelling.signal.aborted) work = { ...work, state: 'cancelled' };
    else if (error instanceof NoRoom) work = { ...work, state: 'failed', code: 'DISK_FULL', free: error.free };
    else if (error instanceof ClientError) work = { ...work, state: 'failed', code: error.code, error };
    else work = { ...work, state: 'failed', code: 'UNFORESEEN' };
  }

  function goOn(change: Partial<Attempt>): void {
    if (work.state === 'running') work = { ...work, ...change };
  }

  async function run({ service, isNew }: ModelTask, before: Progress | undefined, signal: AbortSignal): Promise<void> {
    if (isNew) {
      await refuseWithoutRoom(service.model, before?.doneBytes ?? 0);
      await modelStore.download(service.model, { signal, onProgress: progress => goOn({ progress }) });
    }
    let { model } = service;
    // Another server may use the port.
    if (service.apiUrl === modelStore.apiUrl && (isNew || (await modelStore.list()))) {
      goOn({ step: 'prepare' });
      model = await modelStore.ensureContext(model, CONTEXT_TOKENS, signal);
    }
    const ready = { ...service, model };
    goOn({ step: 'try', service: ready });
    const builtIn = await timeSummary(() => demo(undefined, signal));
    const { fit = { format: 'json_schema', contextTokens: undefined }, ...written } = await timeSummary(() =>
      demo(ready, signal),
    );
    signal.throwIfAborted();
    refuseTooSmall(fit);
    work = { state: 'tried', service: ready, fit, model: written, builtIn };
  }

  /** @param downloaded bytes that are there from an earlier try */
  async function refuseWithoutRoom(model: string, downloaded: number): Promise<void> {
    const free = await machine.freeDiskBytes();
    if (free === undefined) return;
    const offers = listOffers({ memoryBytes: machine.memoryBytes, freeDiskBytes: free + downloaded });
    if (offers.some(offer => offer.model === model && !offer.hasDisk)) throw new NoRoom(free);
  }

  return {
    current: (): Work => work,
    /** Downloads a model of the list, makes it read enough at once and tries it. Nothing while other work is under way. */
    download: ({ model }: { model: string }) =>
      start({ isNew: true, service: { apiUrl: modelStore.apiUrl, model, apiKey: undefined } }),
    /** Tries a model; one of the store on this machine is made to read enough at once before. */
    try: (service: ModelService) => start({ isNew: false, service }),
    /** Cancels the current work and keeps downloads. */
    cancel: () => cancelling.abort(),
    /** Resolves once no work is under way. */
    settled: () => running,
  };
}

class NoRoom extends Error {
  readonly free: number;

  constructor(free: number) {
    super('the disk has no room for this model');
    this.free = free;
  }
}

async function timeSummary(write: () => ReturnType<ServiceChecks['demo']>): Promise<Timed & { fit?: ModelFit }> {
  const begun = performance.now();
  return { ...(await write()), seconds: (performance.now() - begun) / 1000 };
}

/** Context size in tokens that suits most days of a conversation. */
const CONTEXT_TOKENS = 16_384;

/** Left free on the disk, in bytes. */
const SPARE_DISK_BYTES = 2_000_000_000;

const OFFERED = ['qwen3:4b-instruct', 'mistral-nemo:12b', 'qwen3:30b-instruct'] as const;

/** In bytes. `memory`: computed from the file size, the context and a margin. */
type OfferFacts = { download: number; memory: number; license: string };

const GB = 1_000_000_000;
const OFFER_FACTS: Record<(typeof OFFERED)[number], OfferFacts> = {
  'qwen3:4b-instruct': { download: 2.5 * GB, memory: 6 * GB, license: 'Apache License 2.0' },
  'mistral-nemo:12b': { download: 7.1 * GB, memory: 11 * GB, license: 'Apache License 2.0' },
  'qwen3:30b-instruct': { download: 19 * GB, memory: 22 * GB, license: 'Apache License 2.0' },
};

/** `hasMemory` and `hasDisk`: as far as this machine tells. */
type Offer = OfferFacts & { model: string; hasMemory: boolean; hasDisk: boolean };

/** The models that may be downloaded from the page, the smallest first. */
export function listOffers(machine: { memoryBytes: number; freeDiskBytes: number | undefined }): Offer[] {
  return OFFERED.map(model => {
    const about = OFFER_FACTS[model];
    const hasDisk = (machine.freeDiskBytes ?? Number.POSITIVE_INFINITY) >= about.download + SPARE_DISK_BYTES;
    return { model, ...about, hasMemory: machine.memoryBytes >= about.memory, hasDisk };
  });
}
