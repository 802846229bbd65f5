import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { FaultPlan } from '../../../sandbox/faultPlan.ts';
import { sendJson } from './answers.ts';
import type { AiFault } from './faults.ts';

/** A model on the disk of an Ollama. */
export type OllamaModel = {
  bytes: number;
  /** As `/api/show` prints them, a parameter a line: `num_ctx 16384`. */
  parameters?: string;
  /** It runs elsewhere: only its name is here. */
  remoteHost?: string;
};

type Pace = { steps: number; stepMs: number };

export type Ollama = {
  /** Makes the server an Ollama with these models; without any it runs and has none. */
  install(models?: Record<string, OllamaModel>): void;
  /** Makes it another server again, and forgets what was downloaded in part. */
  remove(): void;
  models(): Record<string, OllamaModel>;
  /** What can be downloaded, and in how many steps of how many milliseconds. */
  offer(library: Record<string, OllamaModel>, pace?: Partial<Pace>): void;
};

const nameOf = z.object({ model: z.string().min(1) });
const creation = nameOf.extend({ from: z.string().min(1), parameters: z.object({ num_ctx: z.number().int().positive() }) });
const CONTEXT = 4096;

/** Ollama's own interface, beside that of chat completions: tags, show, pull with progress, and create. */
export function createOllama(faults: FaultPlan<AiFault>) {
  let models: Map<string, OllamaModel> | undefined;
  let library: Record<string, OllamaModel> = {};
  let pace: Pace = { steps: 10, stepMs: 0 };
  const partial = new Map<string, number>();

  const control: Ollama = {
    install: (own = {}) => {
      models = new Map(Object.entries(own));
    },
    remove: () => {
      models = undefined;
      partial.clear();
    },
    models: () => Object.fromEntries(models ?? []),
    offer: (offered, how = {}) => {
      library = offered;
      pace = { steps: 10, stepMs: 0, ...how };
    },
  };

  /** False for what is not of this interface. */
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    if (!models || !req.url?.startsWith('/api/')) return false;
    const kind = req.url.slice('/api/'.length);
    const fault = faults.take({ kind: `ollama.${kind}` });
    if (fault.delayMs > 0) await sleep(fault.delayMs);
    if (fault.isSilent) return true;
    if (fault.status !== undefined) return refuse(res, fault.status, fault.message ?? 'an error');
    if (req.method === 'GET' && kind === 'tags') return tags(res, models);
    if (req.method !== 'POST') return refuse(res, 404, 'not found');
    const body: unknown = await json(req).catch(() => undefined);
    if (kind === 'show') return show(res, models, body);
    if (kind === 'create') return create(res, models, body);
    return kind === 'pull' ? pull(res, models, { body, fault }) : refuse(res, 404, 'not found');
  }

  type Pulling = { body: unknown; fault: Partial<AiFault> };

  async function pull(res: ServerResponse, stored: Map<string, OllamaModel>, { body, fault }: Pulling) {
    const { data } = nameOf.safeParse(body);
    if (!data) return refuse(res, 400, 'invalid model name');
    const say = startLines(res);
    say({ status: 'pulling manifest' });
    const model = library[data.model];
    if (!model) return endLines(res, say, { error: 'pull model manifest: file does not exist' });
    if (!(await send(res, say, { name: data.model, model, fault }))) return true;
    partial.delete(data.model);
    stored.set(data.model, model);
    for (const status of ['verifying sha256 digest', 'writing manifest']) say({ status });
    return endLines(res, say, { status: 'success' });
  }

  type Sending = { name: string; model: OllamaModel; fault: Partial<AiFault> };

  /** The layers of a model: its weights, and a small one. False if it ended before. */
  async function send(res: ServerResponse, say: Say, { name, model: { bytes }, fault }: Sending): Promise<boolean> {
    const small = Math.ceil(bytes / 100);
    const layers = [bytes - small, small];
    for (const [index, total] of layers.entries()) {
      const before = layers.slice(0, index).reduce((sum, one) => sum + one, 0);
      const digest = `sha256:${String(index).repeat(64)}`;
      let completed = Math.min(total, Math.max(0, (partial.get(name) ?? 0) - before));
      say({ status: `pulling ${digest.slice(7, 19)}`, digest, total, ...(completed > 0 && { completed }) });
      while (completed < total) {
        await sleep(pace.stepMs);
        // Whoever closes the connection ends the download.
        if (res.destroyed) return false;
        completed = Math.min(total, completed + Math.ceil(bytes / pace.steps));
        partial.set(name, before + completed);
        say({ status: `pulling ${digest.slice(7, 19)}`, digest, total, completed });
        if (fault.kind === undefined || completed < total / 2) continue;
        await breakOff(res, say, { fault, digest });
        return false;
      }
    }
    return true;
  }

  return {
    control,
    answer,
    /** The names that chat completions list. Undefined for another server. */
    names: () => models && [...models.keys()],
    /** How many tokens a model reads; undefined for one that is not there. */
    contextOf(name: string): number | undefined {
      const model = models?.get(name);
      return model && contextIn(model);
    },
    isOllama: () => models !== undefined,
  };
}

type Broken = { fault: Partial<AiFault>; digest: string };

async function breakOff(res: ServerResponse, say: Say, { fault, digest }: Broken): Promise<void> {
  if (fault.kind === 'stalls') await new Promise(resolve => res.once('close', resolve));
  if (fault.kind === 'breaks') res.destroy();
  if (fault.kind !== 'diskFull') return;
  const file = `/usr/share/ollama/.ollama/models/blobs/${digest.replace(':', '-')}-partial-0`;
  endLines(res, say, { error: `write ${file}: no space left on device` });
}

type Say = (line: object) => void;

function startLines(res: ServerResponse): Say {
  res.writeHead(200, { 'content-type': 'application/x-ndjson' });
  return line => void res.write(`${JSON.stringify(line)}\n`);
}

function endLines(res: ServerResponse, say: Say, line: object): true {
  say(line);
  res.end();
  return true;
}

function refuse(res: ServerResponse, status: number, error: string): true {
  sendJson(res, status, { error });
  return true;
}

function tags(res: ServerResponse, models: Map<string, OllamaModel>): true {
  const listed = [...models].map(([name, { bytes, remoteHost }]) => ({
    ...{ name, model: name, modified_at: '2026-11-04T14:56:49.277302595-07:00', size: bytes, digest: '0'.repeat(64) },
    details: { format: 'gguf', family: 'qwen3', families: ['qwen3'], parameter_size: '4.0B' },
    ...(remoteHost && { remote_host: remoteHost, remote_model: name }),
  }));
  sendJson(res, 200, { models: listed });
  return true;
}

function show(res: ServerResponse, models: Map<string, OllamaModel>, body: unknown): true {
  const { data } = nameOf.safeParse(body);
  const model = data && models.get(data.model);
  if (!model) return refuse(res, 404, `model '${data?.model}' not found`);
  const { parameters } = model;
  const info = { 'general.architecture': 'qwen3', 'qwen3.context_length': 262_144 };
  sendJson(res, 200, {
    license: 'Apache License',
    ...(parameters && { parameters }),
    model_info: info,
    capabilities: ['completion'],
  });
  return true;
}

function create(res: ServerResponse, models: Map<string, OllamaModel>, body: unknown): true {
  const { data } = creation.safeParse(body);
  if (!data) return refuse(res, 400, "neither 'from' or 'files' was specified");
  const base = models.get(data.from);
  if (!base) return refuse(res, 404, `model '${data.from}' not found`);
  models.set(data.model, { ...base, parameters: `num_ctx                        ${data.parameters.num_ctx}` });
  const say = startLines(res);
  say({ status: 'using existing layer sha256:0000' });
  say({ status: 'writing manifest' });
  return endLines(res, say, { status: 'success' });
}

function contextIn({ parameters = '' }: OllamaModel): number {
  const [, tokens] = /^num_ctx\s{1,40}(\d{1,9})$/m.exec(parameters) ?? [];
  return tokens === undefined ? CONTEXT : Number(tokens);
}
