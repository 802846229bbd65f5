import { parentPort } from 'node:worker_threads';
import type { Summarizer } from '../types.ts';
import { createBuiltInSummarizer } from './summarizer.ts';

/*
 * The thread that `inThread.ts` starts: reads one conversation after the other, as they are sent to it.
 */

/** What can be asked of the thread, and what it answers. */
export type Reads = Pick<Summarizer, 'summarize' | 'readClosings' | 'readWaits'>;
export type Asked = { [K in keyof Reads]: { what: K; request: Parameters<Reads[K]>[0] } }[keyof Reads];
export type Answer = { result: unknown; cpuMs: number } | { error: unknown; cpuMs: number };

const summarizer = createBuiltInSummarizer();

function read(asked: Asked): Promise<unknown> {
  if (asked.what === 'summarize') return summarizer.summarize(asked.request);
  if (asked.what === 'readClosings') return summarizer.readClosings(asked.request);
  return summarizer.readWaits(asked.request);
}

parentPort?.on('message', async (asked: Asked) => {
  const before = process.threadCpuUsage();
  const done = await read(asked).then(
    result => ({ result }),
    error => ({ error }),
  );
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ ...done, cpuMs: (user + system) / 1000 } satisfies Answer);
});

// Tells that everything is loaded.
parentPort?.postMessage(null);
