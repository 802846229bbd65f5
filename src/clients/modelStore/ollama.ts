import { statfs } from 'node:fs/promises';
import { homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../../lib/hosts.ts';
import { ClientError } from '../errors.ts';
import type { Machine, ModelStore, Progress, StoredModel } from './types.ts';

type Options = {
  /** Up to and with `/v1`, on loopback. */
  apiUrl: string;
  /** Deadline in milliseconds for listing models, which normally takes an instant. */
  patienceMs?: number;
  /** Milliseconds without an event after which a download fails. Long, as Ollama verifies downloaded files silently. */
  silenceMs?: number;
};

const MAX_MODELS = 50;
/** Files of one model, at most. */
const MAX_FILES = 64;
/** Names of models that run in Ollama's cloud rather than on this machine. */
const CLOUD_MODEL = /[:-]cloud$/;
/** Names of embedding models, which can't write text. */
const EMBEDDING = /embed|rerank|minilm|\bbge-/i;

const bytes = z.number().int().nonnegative();
const tags = z.object({
  models: z.array(
    z.object({ name: z.string().regex(/^\P{Cc}{1,200}$/u), size: bytes.catch(0), remote_host: z.string().optional() }),
  ),
});
const modelDetails = z.object({
  parameters: z.string().max(100_000).catch(''),
  model_info: z.record(z.string(), z.unknown()).catch({}),
});
const event = z.object({
  status: z.string().catch(''),
  error: z.string().optional(),
  digest: z.string().max(200).optional(),
  total: bytes.optional().catch(undefined),
  completed: bytes.optional().catch(undefined),
});
type Event = z.output<typeof event>;

/** Ollama, by its own interface (its `docs/api.md`). Throws for an address that is not on loopback. */
export function createOllama({ apiUrl, patienceMs = 800, silenceMs = 240_000 }: Options): ModelStore {
  const { origin, hostname } = new URL(apiUrl);
  if (!isLoopback(hostname)) throw new Error('Downloads are for an Ollama on this machine only.');

  /** Sends one request. Throws ClientError without an answer or for an error status. */
  async function ask(path: string, { body, signal }: { body?: object; signal: AbortSignal }): Promise<Response> {
    const method = body ? 'POST' : 'GET';
    const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${origin}/api/${path}`, { method, redirect: 'manual', signal, ...sent }).catch(throwSilent);
    if (answer.ok) return answer;
    const parsed = z.object({ error: z.string() }).safeParse(await answer.json().catch(() => undefined));
    throw toStoreError(parsed.data?.error ?? '', answer.status);
  }

  /** Reads a stream of events until it ends. Throws if it falls silent for `silenceMs` or doesn't end in success. */
  async function follow(path: string, body: object, { signal, onEvent }: Following): Promise<void> {
    const silence = new AbortController();
    const alarm = setTimeout(() => silence.abort(), silenceMs);
    let last: Event | undefined;
    try {
      const answer = await ask(path, { body, signal: AbortSignal.any([signal, silence.signal]) });
      for await (const line of readLines(answer.body)) {
        alarm.refresh();
        last = event.parse(JSON.parse(line));
        if (last.error !== undefined) throw toStoreError(last.error);
        onEvent?.(last);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ClientError ? error : createSilentError(error);
    } finally {
      clearTimeout(alarm);
    }
    if (last?.status !== 'success') throw createSilentError(undefined);
  }

  async function show(name: string, signal: AbortSignal) {
    const answer = await ask('show', { body: { model: name }, signal });
    return modelDetails.parse(await answer.json().catch(throwSilent));
  }

  return {
    name: 'Ollama',
    apiUrl,
    async list() {
      const answer = await ask('tags', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
      const { data } = tags.safeParse(await answer?.json().catch(() => undefined));
      return data?.models
        .filter(isLocalWriter)
        .slice(0, MAX_MODELS)
        .map(({ name, size }): StoredModel => ({ name, bytes: size }));
    },
    async download(name, { onProgress, signal }) {
      const files = new Map<string, Progress>();
      const onEvent = ({ digest, total, completed = 0 }: Event) => {
        if (digest === undefined || total === undefined || (files.size >= MAX_FILES && !files.has(digest))) return;
        files.set(digest, { doneBytes: Math.min(completed, total), totalBytes: total });
        onProgress(sumOf([...files.values()]));
      };
      await follow('pull', { model: name }, { signal, onEvent });
    },
    async ensureContext(name, tokens, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(silenceMs)]);
      const about = await show(name, inTime);
      if (parseContextTokens(about.parameters) >= tokens) return name;
      const context = Math.min(tokens, findTrainedTokens(about.model_info));
      const variant = variantName(name, context);
      await follow('create', { model: variant, from: name, parameters: { num_ctx: context } }, { signal });
      return variant;
    },
  };
}

type Following = { signal: AbortSignal; onEvent?: (event: Event) => void };

function isLocalWriter({ name, remote_host }: z.output<typeof tags>['models'][number]): boolean {
  return remote_host === undefined && !CLOUD_MODEL.test(name) && !EMBEDDING.test(name);
}

function sumOf(files: Progress[]): Progress {
  const sum = (key: keyof Progress) => files.reduce((total, file) => total + file[key], 0);
  return { doneBytes: sum('doneBytes'), totalBytes: sum('totalBytes') };
}

/** Name of the variant with that context size, such as `qwen3:4b-instruct-16k`. */
function variantName(name: string, context: number): string {
  const named = name.includes(':') ? name : `${name}:latest`;
  return `${named}-${Math.round(context / 1024)}k`;
}

/** Context size in a model's parameters, in tokens; 0 if the model doesn't set it. */
function parseContextTokens(parameters: string): number {
  const [, tokens = '0'] = /^num_ctx\s{1,60}(\d{1,9})\s{0,60}$/m.exec(parameters) ?? [];
  return Number(tokens);
}

function findTrainedTokens(info: Record<string, unknown>): number {
  const [, tokens] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
  return typeof tokens === 'number' && tokens > 0 ? tokens : Number.POSITIVE_INFINITY;
}

function throwSilent(cause: unknown): never {
  throw createSilentError(cause);
}

function createSilentError(cause: unknown): ClientError {
  return new ClientError({ service: 'summarizer', kind: 'temporary', code: 'MODEL_STORE_SILENT', cause });
}

const KNOWN_FAILURES = [
  [/no space left|not enough space|disk full/i, 'DISK_FULL'],
  [/file does not exist|not found/i, 'UNKNOWN_MODEL'],
] as const;

/** Classifies an error by Ollama's text, which is never shown. */
function toStoreError(words: string, status = 200): ClientError {
  const code = KNOWN_FAILURES.find(([pattern]) => pattern.test(words))?.[1] ?? 'MODEL_REFUSED';
  const isOurs = code !== 'MODEL_REFUSED' || (status >= 300 && status < 500);
  return new ClientError({ service: 'summarizer', kind: isOurs ? 'permanent' : 'temporary', code });
}

/** Maximum length of an event in characters, to bound memory. */
const MAX_LINE_LENGTH = 20_000;

/** Yields the non-empty lines of a body as they arrive. Throws if a line is too long. */
async function* readLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) throw new Error('The model store sent too long a line.');
    yield* lines.filter(line => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/** Ollama's model folders: of a Linux service, or below the user's home. */
const PLACES = ['/usr/share/ollama', join(homedir(), '.ollama'), homedir()];

/** Describes this machine, with the free space of the first folder that exists. */
export function describeThisMachine(places: readonly string[] = PLACES): Machine {
  return {
    platform: process.platform,
    memoryBytes: totalmem(),
    async freeDiskBytes() {
      for (const place of places) {
        const disk = await statfs(place).catch(() => undefined);
        if (disk) return disk.bavail * disk.bsize;
      }
      return undefined;
    },
  };
}
