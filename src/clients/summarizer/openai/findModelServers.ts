import OpenAI from 'openai';
import pMap from 'p-map';
import { z } from 'zod';
import type { ModelServer } from '../types.ts';

/** A usual port of a model server on its own machine. */
type UsualPlace = { name: string; apiUrl: string };

export const OLLAMA: UsualPlace = { name: 'Ollama', apiUrl: 'http://127.0.0.1:11434/v1' };

/** The ports that each server's own guide names. */
const USUAL_PLACES: readonly UsualPlace[] = [
  OLLAMA,
  { name: 'LM Studio', apiUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', apiUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', apiUrl: 'http://127.0.0.1:8000/v1' },
];

/** Milliseconds. A server on this machine lists its models at once, and a person waits for the page. */
const PATIENCE_MS = 800;
const MAX_MODELS = 50;

/** Anything may answer at these ports: only a server that returns a list of models is a model server. */
const size = z.number().int().positive().optional().catch(undefined);
const modelList = z.array(z.object({ id: z.string().regex(/^\P{Cc}{1,200}$/u) }));
/** Embedding models turn texts into vectors, and write nothing. */
const EMBEDDING = /embed|rerank/i;

/** Responding model servers on this machine, with their models. Sends only this query. Never throws. */
export async function findModelServers(
  places: readonly UsualPlace[] = USUAL_PLACES,
  patienceMs = PATIENCE_MS,
): Promise<ModelServer[]> {
  const modelsAt = (place: UsualPlace) => listModels(place, patienceMs).catch(() => []);
  const found = await pMap(places, async place => ({ ...place, models: await modelsAt(place) }));
  return found.filter(({ models }) => models.length > 0);
}

/** The fields in which vLLM, OpenRouter and Groq give a model's context size. */
const contexts = z.object({
  data: z.array(
    z.object({ id: z.string(), max_model_len: size, context_length: size, context_window: size }).catch({ id: '' }),
  ),
});
/** llama.cpp's, beside its interface like the vendor's. */
const props = z.object({ default_generation_settings: z.object({ n_ctx: z.number().int().positive() }) });

/** A model's context size in tokens, if its server says so. Never throws. */
export async function readContextTokens(
  { apiUrl, model, apiKey }: { apiUrl: string; model: string; apiKey: string | undefined },
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const ask = async <T>(url: string, answer: z.ZodType<T>): Promise<T | undefined> => {
    const init = { headers, redirect: 'error', signal: AbortSignal.timeout(patienceMs) } as const;
    const sent = await fetch(url, init).then(res => (res.ok ? res.json() : undefined));
    return answer.safeParse(sent).data;
  };
  const listed = await ask(`${apiUrl}/models`, contexts).catch(() => undefined);
  const own = listed?.data.find(({ id }) => id === model);
  const said = own?.max_model_len ?? own?.context_length ?? own?.context_window;
  if (said !== undefined) return said;
  const shown = await ask(new URL('/props', apiUrl).href, props).catch(() => undefined);
  return shown?.default_generation_settings.n_ctx;
}

async function listModels({ apiUrl: baseURL }: UsualPlace, timeout: number): Promise<string[]> {
  const account = { apiKey: 'none', baseURL, organization: null, project: null };
  const client = new OpenAI({ ...account, maxRetries: 0, logLevel: 'off', timeout });
  const signal = AbortSignal.timeout(timeout);
  const { data } = await client.models.list({ signal, fetchOptions: { redirect: 'error' } });
  const names = modelList.parse(data).map(({ id }) => id);
  return [...new Set(names)].filter(name => !EMBEDDING.test(name)).slice(0, MAX_MODELS);
}
