import getPort from 'get-port';
import { print, spawnScript, untilAnswering, withGround } from '../support/ground.ts';
import { fillMornings, type Script, signedInReader } from '../support/morning.ts';
import { judge } from './lighthouse.ts';
import { type Load, loads } from './loads.ts';

/*
 * Today with 60 digests on a phone: 390 pixels, 1.6 Mbit/s, 150 ms, a processor four times slower than this one. What
 * the first load brings, what the next one, when the page stands and how much it moves, and what Lighthouse says. Ends
 * with 1 when a bound is broken.
 */

const DIGESTS = 60;
const KB = 1024;
const BOUNDS = { requests: 10, repeatBytes: 15 * KB, lcpMs: 1800, cls: 0.02, score: 95 };
const FIRST_BYTES: Record<Script, number> = { latin: 150 * KB, cyrillic: 195 * KB };

let isWithinBounds = true;

await withGround(async ({ db, env }) => {
  const port = await getPort();
  const url = `http://127.0.0.1:${port}`;
  const service = spawnScript(['src/web.ts'], { ...env, PORT: String(port) });
  try {
    await untilAnswering(url);
    for (const script of ['latin', 'cyrillic'] as const) {
      const { cookie, userId } = await signedInReader(url, db, `${script}@example.com`);
      await fillMornings(db, userId, { perDay: DIGESTS, days: 30, script });
      report(script, await loads(`${url}/today`, cookie));
      if (script === 'latin') reportScores(await judge(`${url}/today`, cookie));
    }
  } finally {
    service.kill('SIGKILL');
  }
});
process.exitCode = isWithinBounds ? 0 : 1;

function report(script: Script, { first, repeat }: { first: Load; repeat: Load }): void {
  print(`Today with ${DIGESTS} digests, ${script} letters`);
  say('first load', `${kb(first.bytes)}`, first.bytes <= FIRST_BYTES[script], kb(FIRST_BYTES[script]));
  for (const [kind, bytes] of Object.entries(first.byKind)) print(`    ${kind}: ${kb(bytes)}`);
  say('requests', String(first.requests), first.requests <= BOUNDS.requests, String(BOUNDS.requests));
  say('largest paint', `${first.lcpMs.toFixed(0)} ms`, first.lcpMs <= BOUNDS.lcpMs, `${BOUNDS.lcpMs} ms`);
  say('layout shift', first.cls.toFixed(3), first.cls <= BOUNDS.cls, String(BOUNDS.cls));
  say(
    'repeat',
    `${kb(repeat.bytes)} in ${repeat.requests}`,
    repeat.bytes <= BOUNDS.repeatBytes,
    kb(BOUNDS.repeatBytes),
  );
}

function reportScores(scores: Record<string, number>): void {
  for (const [name, score] of Object.entries(scores))
    say(`Lighthouse ${name}`, String(score), score >= BOUNDS.score, `at least ${BOUNDS.score}`);
}

function say(what: string, value: string, holds: boolean, bound: string): void {
  isWithinBounds &&= holds;
  print(`  ${holds ? 'holds ' : 'BROKEN'} ${what}: ${value} (${bound})`);
}

function kb(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}
