import { readFileSync } from 'node:fs';
import { z } from 'zod';

const text = z.string();
const table = z.array(z.tuple([text, text, text, text, text, text]));

type Row = [timezone: string, time: string, asked: string, next: string, day: string, why: string];

/**
 * When what happens daily at a local time happens next, asked at a moment. Written down from Python's zoneinfo, which
 * walked through the minutes, and read through by hand; the service has its rules from elsewhere.
 */
export const NEXT_RUNS: Row[] = table.parse(
  JSON.parse(readFileSync(new URL('./nextRuns.json', import.meta.url), 'utf8')),
);
