import { z } from 'zod';
import { StartError } from '../src/lib/errors.ts';

/** The part of a browser that the first run needs: it keeps cookies and reads JSON. */
export type Browser = {
  answers(path: string): Promise<boolean>;
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T>;
  /** Whether the answer is a success, whatever it holds. */
  accepts(path: string): Promise<boolean>;
  /** Submits a form. Resolves with the address it redirects to. */
  submit(path: string, fields: Record<string, string>): Promise<URL>;
  /** Opens a page that redirects. Resolves with the address. */
  follow(path: string): Promise<URL>;
};

const TIMEOUT_MS = 60_000;
const problem = z.object({ error: z.string() });

/** Every method but `answers` throws {@link StartError} when the answer is not a success. */
export function openBrowser(origin: string, signal: AbortSignal): Browser {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, origin), {
      ...init,
      headers: { ...init.headers, cookie },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    return response;
  }

  async function sendForJson<T>(path: string, init: RequestInit, schema: z.ZodType<T>): Promise<T> {
    const response = await send(path, init);
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw errorFrom(path, response.status, body);
    return schema.parse(body);
  }

  async function target(path: string, response: Response): Promise<URL> {
    const location = response.headers.get('location');
    if (location !== null && response.status < 400) return new URL(location, new URL(path, origin));
    throw errorFrom(path, response.status, await response.json().catch(() => undefined));
  }

  return {
    answers: path =>
      send(path, {}).then(
        response => response.ok,
        () => false,
      ),
    get: (path, schema) => sendForJson(path, {}, schema),
    post: (path, body, schema) =>
      sendForJson(
        path,
        { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        schema,
      ),
    accepts: async path => (await send(path, {})).ok,
    submit: async (path, fields) => target(path, await send(path, { method: 'POST', body: new URLSearchParams(fields) })),
    follow: async path => target(path, await send(path, {})),
  };
}

function errorFrom(path: string, status: number, body: unknown): StartError {
  const told = problem.safeParse(body);
  const [route] = path.split('?');
  return new StartError(`${route} answered ${status}${told.success ? `: ${told.data.error}` : ''}`);
}
