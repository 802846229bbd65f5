/*
 * Loaded into a process with --import: its clock is CLOCK_AHEAD milliseconds ahead of the machine's. SIGUSR2 sets it
 * right, and wrong again.
 */

const Right = Date;
let ahead = Number(process.env.CLOCK_AHEAD);

class Wrong extends Right {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(Wrong.now());
    else super(...given);
  }

  static override now(): number {
    return Right.now() + ahead;
  }
}
globalThis.Date = Wrong as DateConstructor;

process.on('SIGUSR2', () => {
  ahead = ahead === 0 ? Number(process.env.CLOCK_AHEAD) : 0;
});
