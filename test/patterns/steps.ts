import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Asked = { name: string; day: string[] };
/** Milliseconds: in the longest turn of the event loop, and over all of them. */
export type Steps = { longest: number; whole: number };

/**
 * What a day costs the event loop, the better of two readings, in a thread of its own as in the product: there the
 * garbage of a thousand other tests is not collected meanwhile.
 */
export async function stepsOf(name: string, day: string[]): Promise<Steps> {
  const worker = new Worker(new URL('./stepsThread.ts', import.meta.url), {
    workerData: { name, day } satisfies Asked,
  });
  const [steps] = (await once(worker, 'message')) as [Steps];
  await worker.terminate();
  return steps;
}
