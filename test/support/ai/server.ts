import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFaultPlan, type Faults } from '../../../sandbox/faultPlan.ts';
import { listen } from '../../../sandbox/listen.ts';
import { completion, cutOff, half, proxyPage, refusedCompletion, sendError, sendJson } from './answers.ts';
import { type Mode, readRequest, type SeenRequest } from './chatRequest.ts';
import type { AiFault } from './faults.ts';
import { honestModel, type Script } from './model.ts';

export type AiSandbox = {
  /** For `AI_API_URL`. */
  url: string;
  /** The accepted requests since the start, including those that met a fault. */
  requests(): SeenRequest[];
  /** The number of all requests, including rejected ones. */
  calls(): number;
  /** Replaces the model. */
  script(model: Script): void;
  /** The strictest way to request JSON that this server supports; a stricter one is a 400. */
  mode(knows: Mode): void;
  faults: Faults<AiFault>;
  stop(): Promise<void>;
};

type Options = { port?: number; delayMs?: number; apiKey?: string; mode?: Mode; script?: Script };

/**
 * An AI service on loopback that speaks chat completions as OpenAI and its imitators do, for tests and benches. Without
 * `apiKey` any key is good.
 */
export async function startAiSandbox(options: Options = {}): Promise<AiSandbox> {
  const faults = createFaultPlan<AiFault>(options.delayMs);
  const seen: SeenRequest[] = [];
  let { script = honestModel, mode = 'json_schema' } = options;
  let calls = 0;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'POST' || req.url !== '/v1/chat/completions') return sendError(res, { status: 404 });
    calls += 1;
    const key = req.headers.authorization?.replace(/^Bearer /, '');
    if (!key || (options.apiKey && key !== options.apiKey)) {
      return sendError(res, { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided.' });
    }
    const request = readRequest(await json(req).catch(() => undefined), mode);
    if (!('model' in request)) return sendError(res, { status: 400, type: 'invalid_request_error', ...request });
    seen.push(request);
    const fault = faults.take();
    if (fault.delayMs > 0) await sleep(fault.delayMs);
    await meet(fault, request, res);
  }

  async function meet(fault: AiFault, request: SeenRequest, res: ServerResponse): Promise<void> {
    if (fault.status !== undefined) return sendError(res, { ...fault, status: fault.status });
    if (fault.isSilent) return;
    if (fault.losesAnswer) return void res.destroy();
    if (fault.kind === 'html') return proxyPage(res);
    if (fault.kind === 'refusal' || fault.kind === 'contentFilter') {
      return sendJson(res, 200, refusedCompletion(request, fault.kind));
    }
    if (fault.kind === 'notJson') {
      return sendJson(res, 200, completion(request, fault.text ?? 'Sure! Here is what they talked about.'));
    }
    const whole = completion(request, await script(request));
    if (fault.kind === 'halfAnswer') return half(res, whole);
    sendJson(res, 200, fault.kind === 'length' ? cutOff(whole) : whole);
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
    mode: knows => {
      mode = knows;
    },
    faults,
    stop: server.stop,
  };
}
