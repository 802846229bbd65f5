import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Milliseconds: in the longest turn of the event loop, and over all of them. */
export type Steps = { longest: number; whole: number };
export type Asked = { name: string; days: string[][]; limits: Steps };

/**
 * What each day costs the event loop, the best of three readings where the first is over a limit, in a thread of its own as
 * in the product: there the garbage of a thousand other tests is not collected meanwhile.
 */
export async function stepsOf(name: string, days: string[][], limits: Steps): Promise<Steps[]> {
  const worker = new Worker(new URL('./stepsThread.ts', import.meta.url), {
    workerData: { name, days, limits } satisfies Asked,
  });
  const [steps] = (await once(worker, 'message')) as [Steps[]];
  await worker.terminate();
  return steps;
}
