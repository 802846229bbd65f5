import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import '../../../../src/clients/summarizer/builtIn/readingThread.ts';

/*
 * The thread of production, which also tells how much of its heap is used after a collection.
 */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const channel = new BroadcastChannel('heap');
channel.onmessage = ({ data }) => {
  if (data !== 'measure') return;
  collect();
  channel.postMessage(process.memoryUsage().heapUsed);
};
channel.unref();
