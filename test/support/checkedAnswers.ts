import type { RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describeApi } from '../../src/openapi.ts';
import { type Contract, createContract } from './apiContract.ts';
import { recordMismatch } from './apiMismatches.ts';

let contract: Contract | undefined;

/** An attribute built from missing values. */
const MISSING = /\s(?:id|class|for|href|action|hx-[\w-]+)="[^"]*(?:\bundefined\b|\bNaN\b|\[object )[^"]*"/;

/** Checks every answer under /api against the API's description, and every page for missing values. */
export function checkAnswers(app: RequestListener): RequestListener {
  contract ??= createContract(JSON.stringify(describeApi({ appName: 'Forenoon' })));
  const wrongWith = contract;
  return (req, res) => {
    const path = req.url?.split('?')[0] ?? '';
    afterAnswer(res, body => {
      const isPage = String(res.getHeader('content-type')).startsWith('text/html');
      const missing = isPage && MISSING.exec(body())?.[0];
      if (missing) recordMismatch(`${req.method} ${path} holds ${missing}`);
    });
    if (/^\/api(\/|$)/i.test(path)) {
      afterAnswer(res, body => {
        const { method = '' } = req;
        const offence = wrongWith({ method, path, status: res.statusCode, headers: res.getHeaders(), body: body() });
        if (offence) recordMismatch(offence);
      });
    }
    app(req, res);
  };
}

/** This runs before the client gets the answer, in an earlier turn of the event loop. */
function afterAnswer(res: ServerResponse, look: (body: () => string) => void) {
  const chunks: Buffer[] = [];
  const keep = ([chunk, encoding]: unknown[]) => {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    else if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encodingOf(encoding)));
  };
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.write = (...args: unknown[]) => {
    keep(args);
    return write(...args);
  };
  res.end = (...args: unknown[]) => {
    keep(args);
    const ended = end(...args);
    look(() => plain(Buffer.concat(chunks), res.getHeader('content-encoding')));
    return ended;
  };
}

function plain(body: Buffer, encoding: unknown): string {
  if (body.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(body).toString();
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'deflate' ? inflateSync(body) : body).toString();
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8';
}
