import { median, print } from '../support/ground.ts';
import { BULK, bulkOf } from './fragments.ts';

const TIMES = 20;
/** Up to here an answer is felt as immediate: Nielsen, Usability Engineering, chapter 5. */
const MAX_MS = 100;

type Service = { url: string; cookie: string; ids: string[] };

/**
 * Measures a bulk and its undo, one after the other: an undo works only once, so it can't be requested over and over
 * like the other forms. Prints the median of each. @returns whether both are within bounds
 */
export async function measureBulkUndo(name: string, { url, cookie, ids }: Service): Promise<boolean> {
  const until = new Date(Date.now() + 8 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  const times = { bulk: [] as number[], undo: [] as number[] };
  const send = async (kind: keyof typeof times, form: [string, string][]) => {
    const begun = performance.now();
    const headers = { cookie, 'hx-request': 'true', 'hx-current-url': `${url}/promises` };
    const answer = await fetch(`${url}/promises`, { method: 'POST', headers, body: new URLSearchParams(form) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${kind} answered ${answer.status}`);
    times[kind].push(performance.now() - begun);
    return text;
  };
  for (let n = 0; n < TIMES; n++) {
    const told = await send('bulk', bulkOf(ids.slice(0, BULK), until));
    const [, at] = told.match(/name="at" value="(\d+)"/) ?? [];
    if (!at) throw new Error('the bulk names no moment to be undone by');
    await send('undo', [
      ['action', 'undo'],
      ['at', at],
      ['back', '/promises'],
    ]);
  }
  const [bulk, undo] = [median(times.bulk), median(times.undo)];
  const holds = Math.max(bulk, undo) <= MAX_MS;
  const figures = `bulk of ${BULK} ${bulk.toFixed(1)} ms, its undo ${undo.toFixed(1)} ms (at most ${MAX_MS} each)`;
  print(`${holds ? 'holds ' : 'BROKEN'} ${name.padEnd(26)} ${figures}`);
  return holds;
}
