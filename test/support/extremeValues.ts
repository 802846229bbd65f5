/** A uuid that no row has. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

const NUMBERS = [
  ...['-1', '-0', '0', '1.5', '1e-7', '0x10', 'NaN', 'Infinity', '-Infinity', '1e9', '1e15', '1e21', '1e308', '1e309'],
  ...['2147483647', '2147483648', '-2147483649', '4294967296'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616'],
  // Milliseconds: the first and the last Date, what Postgres and four digits of a year take, and beyond.
  ...['8640000000000000', '8640000000000001', '-8640000000000000', '-8640000000000001', '-300000000000000'],
  ...['-210866803200001', '253402300799999', '253402300800000', '-62135596800001', '-62167219200000'],
  ...['000000000000000000001', '9'.repeat(400), '٣'],
];

const DAYS = [
  ...['2000-01-01', '1999-12-31', '2000-02-30', '9999-12-31', '9999-12-27', '0000-01-01', '0001-01-01', '0000-02-29'],
  ...[
    '10000-01-01',
    '275760-09-13',
    '-271821-04-20',
    '+275760-09-13',
    '+275760-09-14',
    '-000001-01-01',
    '+010000-01-01',
  ],
  ...['5874897-12-31', '4714-11-24 BC', '294276-12-31', 'infinity', '-infinity', 'now', 'epoch', 'today'],
  ...['9999-12-31T23:59:60Z', '+275760-09-13T00:00:00.000Z', '2026-11-21T24:00', '24:00', '23:59:60', '99:99'],
  ...['2026-W53', '9999-W53', '0000-W01', 'W99', '53', '54'],
];

const cursorAt = (due: string) => Buffer.from(`${due} ${NOBODY}`).toString('base64url');

const TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '%',
    '%00',
    "'",
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
  ],
  ...['x'.repeat(10_000), '🦊'.repeat(500), NOBODY, `${NOBODY}.pinned`, '\u200b', '\u202e'],
  ...['9999-12-31', '0000-01-01', '0001-01-01', '2000-01-01', '1999-12-31', 'infinity', '-infinity'].map(cursorAt),
];

/** What a number, a day, a moment, a week, a cursor or an id may be sent as. */
export const EXTREME_TEXTS: readonly string[] = [...NUMBERS, ...DAYS, ...TEXTS];

/** One of each kind, for where all of them would take minutes. */
export const EXTREME_SHORT: readonly string[] = [
  ...['-1', '1e308', 'NaN', '9223372036854775808', '-300000000000000', '8640000000000001', '9'.repeat(400)],
  ...['9999-12-31', '0000-01-01', '-271821-04-20', '+275760-09-13', '24:00', '\u0000', 'x'.repeat(9_000)],
  ...['0000-01-01', '9999-12-31'].map(cursorAt),
];

/** A lone surrogate, half a character, a percent sign without digits; a list, parts. */
const UNREADABLE = ['=%ED%A0%80', '=%F0%9F', '=%', '[]=1', '[x]=1'];

/** What follows a name in a query or a form. */
export function asQueries(texts: readonly string[]): string[] {
  return [...texts.map(text => `=${encodeURIComponent(text)}`), ...UNREADABLE];
}

/** The text of each value as JSON, since JSON.stringify would make `null` of some. */
export const EXTREME_JSON: readonly string[] = [
  ...EXTREME_TEXTS.map(text => JSON.stringify(text)),
  ...['0', '-0', '-1', '1.5', '1e308', '-1e308', '1e309', '-1e309', '5e-324', '2147483648', '9007199254740993'],
  ...['9223372036854775808', '-300000000000000', '8640000000000001', `1${'0'.repeat(400)}`],
  ...['null', 'true', '[]', '[null]', '[1e309]', '{}', '{"x":1}', '[[[[]]]]', '"\\ud800"', '["\\udc00"]'],
  ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, `[${'0,'.repeat(5000)}0]`],
];
