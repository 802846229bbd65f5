import { randomUUID } from 'node:crypto';

/** Of every kind but text. */
export const OF_ANOTHER_KIND: readonly unknown[] = [
  0,
  1.5,
  -1,
  true,
  false,
  [],
  ['hush'],
  {},
  { $ne: null },
  { toString: 'hush' },
];

export const NO_TEXT_OF_OURS = ['hush\u0000', '\u0000', 'hush\u0007\u001b[2J', 'hush'.repeat(3000)];

export const NO_ID_OF_OURS = [
  'hush',
  randomUUID(),
  '00000000-0000-0000-0000-000000000000',
  "' or 1=1 --",
  '../../etc/passwd',
  '\ud800',
  '🦊'.repeat(200),
  '%00',
  '__proto__',
];

/** What no endpoint with a JSON body takes, whatever it is for. */
export const NO_JSON_OF_OURS: readonly (readonly [body: string, type: string])[] = [
  ['{', 'application/json'],
  ['"hush"', 'application/json'],
  ['hush', 'application/json'],
  [`{"hush":"${'x'.repeat(110 * 1024)}"}`, 'application/json'],
  ['{"hush":1}', 'application/json; charset=hush'],
  ['{"hush":1}', 'text/plain'],
  ['<hush/>', 'application/xml'],
  ['hush=1', 'application/x-www-form-urlencoded'],
];
