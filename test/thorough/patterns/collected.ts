import { Worker } from 'node:worker_threads';

/** A pattern of the product's own code: written as a literal, or compiled with `new RegExp` while the code ran. */
export type Pattern = { source: string; flags: string /** `src/file.ts:12` */; at: string };

/** `unseen`: places that call `new RegExp` and were not reached, so that no one knows what they compile. */
export type Collected = { patterns: Pattern[]; unseen: string[] };

/** Every pattern of src and sandbox. In a thread of its own, whose modules are loaded after the recording began. */
export function collectPatterns(): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const worker = new Worker(new URL('./collecting.ts', import.meta.url));
  worker.once('message', resolve).once('error', reject);
  return promise.finally(() => worker.terminate());
}
