import OpenAI from 'openai';
import pMap from 'p-map';
import { z } from 'zod';
import type { ModelServer } from './types.ts';

/** Where a server usually listens on its own machine. */
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
const MOST_MODELS = 50;

/** Anything may answer at these ports: only a server that returns a list of models is a model server. */
const modelList = z.array(z.object({ id: z.string().regex(/^\P{Cc}{1,200}$/u) }));
/** Embedding models turn texts into vectors, and write nothing. */
const EMBEDDING = /embed|rerank/i;

/** The model servers on this machine that answer, with their models. Sends nothing but the question. Never throws. */
export async function findModelServers(
  places: readonly UsualPlace[] = USUAL_PLACES,
  patienceMs = PATIENCE_MS,
): Promise<ModelServer[]> {
  const modelsAt = (place: UsualPlace) => listModels(place, patienceMs).catch(() => []);
  const found = await pMap(places, async place => ({ ...place, models: await modelsAt(place) }));
  return found.filter(({ models }) => models.length > 0);
}

async function listModels({ apiUrl: baseURL }: UsualPlace, timeout: number): Promise<string[]> {
  const account = { apiKey: 'none', baseURL, organization: null, project: null };
  const client = new OpenAI({ ...account, maxRetries: 0, logLevel: 'off', timeout });
  const signal = AbortSignal.timeout(timeout);
  const { data } = await client.models.list({ signal, fetchOptions: { redirect: 'error' } });
  const names = modelList.parse(data).map(({ id }) => id);
  return [...new Set(names)].filter(name => !EMBEDDING.test(name)).slice(0, MOST_MODELS);
}
