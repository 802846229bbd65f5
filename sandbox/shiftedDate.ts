import { readFileSync } from 'node:fs';

/*
 * The demo's clock in a process. Loaded with --import into web and worker, it sets their clock ahead by what the file in
 * SANDBOX_CLOCK_FILE says; the start itself calls it, since the sandbox servers share that clock.
 */

const Machine = Date;
const machineOrigin = performance.timeOrigin;
let ahead = 0;

class Shifted extends Machine {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(Shifted.now());
    else super(...given);
  }

  static override now(): number {
    return Machine.now() + ahead;
  }
}

/** Sets this process's clock ahead of the machine's. */
export function setDateAhead(ms: number): void {
  ahead = ms;
  globalThis.Date = ms === 0 ? Machine : (Shifted as DateConstructor);
  Object.defineProperty(performance, 'timeOrigin', { value: machineOrigin + ms, configurable: true });
}

/** How many milliseconds the file says; 0 without one. */
export function readAhead(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

const { SANDBOX_CLOCK_FILE } = process.env;
if (SANDBOX_CLOCK_FILE) setDateAhead(readAhead(SANDBOX_CLOCK_FILE));
