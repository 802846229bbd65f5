import { parentPort } from 'node:worker_threads';
import type { Asked } from '../../../../src/clients/summarizer/builtIn/readingThread.ts';

/*
 * A thread that never ends a conversation of more than 20,000 characters, and runs out of memory over the word "memory".
 */

const STRUCTURED = { topics: [], actionItems: [], sentiment: 'neutral', urgency: 'none' };

parentPort?.on('message', ({ request }: Asked) => {
  const text = request.messages.map(message => message.text).join(' ');
  while (text.length > 20_000 && !text.includes('memory'));
  const kept: number[][] = [];
  while (text.length > 20_000 || text.startsWith('memory')) kept.push(new Array(100_000).fill(kept.length));
  parentPort?.postMessage({ result: { summary: `${text.length} read`, structured: STRUCTURED }, cpuMs: 400 });
});
parentPort?.postMessage(null);
