import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFaultPlan, type Faults } from '../../../sandbox/faultPlan.ts';
import { listen } from '../../../sandbox/listen.ts';
import { completion, cutOff, half, modelList, proxyPage, refusedCompletion, sendError, sendJson } from './answers.ts';
import { readPrompt, readRequest, type SeenRequest } from './chatRequest.ts';
import type { AiFault } from './faults.ts';
import { cutPrompt, type Habits, promptTokens, tooLongFor, VENDOR } from './habits.ts';
import { honestModel, type Script } from './model.ts';
import { createOllama, type Ollama } from './ollama.ts';

export type AiSandbox = {
  /** For `AI_API_URL`. */
  url: string;
  /** The accepted requests since the start as they were sent, including those that met a fault. */
  requests(): SeenRequest[];
  /** The number of all requests, including rejected ones. */
  calls(): number;
  /** Replaces the model. */
  script(model: Script): void;
  /** Makes it another server than the vendor's. */
  behave(habits: Habits): void;
  /** Makes it an Ollama, which has an interface of its own beside. */
  ollama: Ollama;
  faults: Faults<AiFault>;
  stop(): Promise<void>;
};

type Options = { port?: number; delayMs?: number; apiKey?: string; habits?: Habits; script?: Script };

/**
 * An AI service on loopback that speaks chat completions as OpenAI and its imitators do, for tests and benches. Without
 * `apiKey` any key is good.
 */
export async function startAiSandbox(options: Options = {}): Promise<AiSandbox> {
  const faults = createFaultPlan<AiFault>(options.delayMs);
  const seen: SeenRequest[] = [];
  let { script = honestModel } = options;
  let habits = { ...VENDOR, ...options.habits };
  let calls = 0;
  const ollama = createOllama(faults);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method === 'GET' && req.url === '/v1/models') return await list(res);
    if (await ollama.answer(req, res)) return;
    if (req.method !== 'POST' || req.url !== '/v1/chat/completions') return sendError(res, { status: 404 });
    calls += 1;
    const key = req.headers.authorization?.replace(/^Bearer /, '');
    if (!key || (options.apiKey && key !== options.apiKey)) {
      return sendError(res, { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided.' });
    }
    const request = readRequest(await json(req).catch(() => undefined), habits);
    if (!('model' in request)) return refuse(res, request);
    if (ollama.isOllama() && ollama.contextOf(request.model) === undefined) {
      return refuse(res, { status: 404, message: `model '${request.model}' not found` });
    }
    seen.push(request);
    const fault = faults.take({ about: whoIn(request) });
    if (fault.delayMs > 0) await sleep(fault.delayMs);
    await meet(fault, request, res);
  }

  /** Without a look at the key, as servers on one's own machine do. */
  async function list(res: ServerResponse): Promise<void> {
    const { delayMs, status, isSilent, kind } = faults.take({ kind: 'models' });
    if (delayMs > 0) await sleep(delayMs);
    if (isSilent) return;
    if (status !== undefined) return sendError(res, { status });
    if (kind === 'html') return proxyPage(res);
    sendJson(res, 200, modelList(ollama.names() ?? habits.models, habits.contextSaid));
  }

  type Refusal = { status?: number; message: string; param?: string | null; code?: string };

  function refuse(res: ServerResponse, refusal: Refusal): void {
    sendError(res, { status: 400, type: 'invalid_request_error', ...refusal });
  }

  async function meet(fault: AiFault, request: SeenRequest, res: ServerResponse): Promise<void> {
    if (fault.status !== undefined) return sendError(res, { ...fault, status: fault.status });
    if (fault.isSilent) return;
    if (fault.losesAnswer) return void res.destroy();
    if (fault.kind === 'html') return proxyPage(res);
    if (fault.kind === 'refusal') return sendJson(res, 200, refusedCompletion(request));
    if (fault.kind === 'notJson') {
      return sendJson(res, 200, completion(request, fault.text ?? 'Sure! Here is what they talked about.'));
    }
    const context = contextFor(request);
    const tokens = promptTokens(request);
    if (tokens > context && overflowHere() === 'refuses') {
      return refuse(res, { message: tooLongFor(context, tokens), code: 'context_length_exceeded' });
    }
    const whole = await completionOf(seenOf(request, context));
    if (fault.kind === 'halfAnswer') return half(res, whole);
    const { usage, ...uncounted } = fault.kind === 'length' ? cutOff(whole) : whole;
    const sent = habits.counts === 'nothing' ? uncounted : { ...uncounted, usage };
    sendJson(res, 200, habits.answers?.(whole) ?? sent);
  }

  const overflowHere = () => (ollama.isOllama() ? 'dropsFront' : habits.overflow);

  function contextFor({ model }: SeenRequest): number {
    return ollama.contextOf(model) ?? habits.context ?? Number.POSITIVE_INFINITY;
  }

  async function completionOf(request: SeenRequest) {
    const answer = await script(request);
    const { writes = (json: string) => json } = habits;
    return completion(request, typeof answer === 'string' ? answer : writes(JSON.stringify(answer)));
  }

  const server = await listen((req, res) => {
    answer(req, res).catch(() => res.destroy());
  }, options.port ?? 0);
  return {
    url: `${server.url}/v1`,
    requests: () => seen,
    calls: () => calls,
    script: model => {
      script = model;
    },
    behave: own => {
      habits = { ...VENDOR, ...own };
    },
    ollama: ollama.control,
    faults,
    stop: server.stop,
  };
}

/** Whom the chat is with: faults can be planned about that name. */
export function whoIn({ lines }: SeenRequest): string[] {
  const chat = lines.find(line => 'chat' in line)?.chat;
  return typeof chat === 'object' && chat !== null && 'with' in chat ? [String(chat.with)] : [];
}

/** What the model sees of a request. */
function seenOf(request: SeenRequest, context: number): SeenRequest {
  return promptTokens(request) > context ? { ...request, ...readPrompt(cutPrompt(request, context)) } : request;
}
