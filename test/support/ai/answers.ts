import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './chatRequest.ts';
import { promptTokens, tokensIn } from './habits.ts';

type Completion = ReturnType<typeof completion>;

type ApiError = {
  status: number;
  code?: string;
  type?: string;
  param?: string | null;
  message?: string;
  retryAfter?: string;
};

/** A completion as the vendor sends it, with usage. @param content text, or a value to be serialized */
export function completion(request: SeenRequest, content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const prompt = promptTokens(request);
  const written = tokensIn(text);
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null as string | null },
        finish_reason: 'stop' as string,
        logprobs: null,
      },
    ] as const,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: written,
      total_tokens: prompt + written,
      prompt_tokens_details: { cached_tokens: tokensIn(request.system) },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

export function modelList(models: readonly string[], max_model_len: number | undefined) {
  const data = models.map(id => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'library', max_model_len }));
  return { object: 'list', data };
}

export function refusedCompletion(request: SeenRequest) {
  const whole = completion(request, '');
  const [choice] = whole.choices;
  return {
    ...whole,
    choices: [{ ...choice, message: { ...choice.message, content: null, refusal: "I'm sorry, I can't." } }],
  };
}

/** The completion cut off in the middle by the token limit. */
export function cutOff(whole: Completion): Completion {
  const [choice] = whole.choices;
  const { content } = choice.message;
  const message = { ...choice.message, content: content.slice(0, Math.ceil(content.length / 2)) };
  return { ...whole, choices: [{ ...choice, message, finish_reason: 'length' }] as const };
}

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const id = `req_${randomUUID().replaceAll('-', '')}`;
  res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': id, ...headers });
  res.end(JSON.stringify(body));
}

export function sendError(res: ServerResponse, { status, code, type, param, message, retryAfter }: ApiError): void {
  const error = {
    message: message ?? 'The server had an error while processing your request.',
    type: type ?? 'server_error',
    param: param ?? null,
    code: code ?? null,
    status,
  };
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  sendJson(res, status, { error }, headers);
}

export function proxyPage(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/html' });
  res.end('<html><body><h1>Please sign in to the network</h1></body></html>');
}

/** Announces the length of the whole answer and sends half of it. */
export function half(res: ServerResponse, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body));
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  res.write(text.subarray(0, Math.floor(text.length / 2)));
}
