import { randomUUID } from 'node:crypto';

/** Values of every type but text. */
export const WRONG_TYPES: readonly unknown[] = [
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

export const INVALID_TEXTS = ['hush\u0000', 'hush\ud800', '\u0000', 'hush\u0007\u001b[2J', 'hush'.repeat(3000)];

export const INVALID_IDS = [
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

/** Bodies that every JSON endpoint must reject. */
export const INVALID_BODIES: readonly (readonly [body: string, type: string])[] = [
  ['{', 'application/json'],
  ['"hush"', 'application/json'],
  ['hush', 'application/json'],
  [`{"hush":"${'x'.repeat(110 * 1024)}"}`, 'application/json'],
  ['{"hush":1}', 'application/json; charset=hush'],
  ['{"hush":1}', 'text/plain'],
  ['<hush/>', 'application/xml'],
  ['hush=1', 'application/x-www-form-urlencoded'],
];
