import { nextRun } from '../../src/lib/timezones.ts';
import { runsOf, walkMinutes } from '../../test/lib/minuteWalk.ts';
import { NEXT_RUNS } from '../../test/lib/nextRunTable.ts';
import { print } from '../support/ground.ts';

/*
 * Time zones around their clock changes, with the next daily run of each: as the service computes it, as Python's
 * zoneinfo has it, and as a walk through the minutes by Intl finds it.
 *
 *   node bench/schedule/zones.ts
 */

const DAY = 24 * 3_600_000;
const COLUMNS = ['zone', 'time', 'asked at', 'next run', 'on the wall', 'same', 'why'];

const rows = NEXT_RUNS.map(([timezone, time, asked, expected, day, why]) => {
  const run = nextRun(new Date(asked), { time, timezone });
  const isAsExpected = run.at.getTime() === Date.parse(expected) && run.day === day;
  const isSame = isAsExpected && run.at.getTime() === walked(timezone, time, new Date(asked));
  if (!isSame) process.exitCode = 1;
  return [timezone, time, minuteOf(asked), minuteOf(run.at), onTheWall(run.at, timezone), isSame ? 'yes' : 'NO', why];
});

const widths = COLUMNS.map((name, n) => Math.max(name.length, ...rows.map(row => row[n]?.length ?? 0)));
for (const row of [COLUMNS, ...rows])
  print(
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
print(`${rows.filter(row => row[5] === 'yes').length} of ${rows.length} the same by all three; times in UTC`);

/** The first run after `asked`, in milliseconds, among those of the three days around it. */
function walked(timezone: string, time: string, asked: Date): number | undefined {
  const runs = runsOf(walkMinutes(timezone, new Date(asked.getTime() - 1.5 * DAY), 5 * DAY), time);
  return runs.map(({ at }) => Date.parse(at)).find(at => at > asked.getTime());
}

function minuteOf(moment: Date | string): string {
  return new Date(moment).toISOString().slice(0, 16).replace('T', ' ');
}

function onTheWall(moment: Date, timezone: string): string {
  const style = { dateStyle: 'short', timeStyle: 'short' } as const;
  const offset = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...style }).format(moment)} ${offset}`;
}
