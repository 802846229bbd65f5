/** A uuid that no row has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

const cursorAt = (due: string) => Buffer.from(`${due} ${NOBODY}`).toString('base64url');

/** Characters that no field takes. */
export const UNWRITABLE = ['hush\u0000', 'hush\u0007\u001b[2J', 'hush'.repeat(2250)];
const HALVES = ['hush\ud800', '\udfff'];

/** What may be in place of a number, a day, a moment, a week, a cursor, an id or a text. */
export const BAD_TEXTS: readonly string[] = [
  ...['', 'hush', '\u0000', '%', "' or 1=1 --", '../../etc/passwd', '__proto__', '🦊'.repeat(200), NOBODY],
  ...['-1', '1.5', '1e308', '2147483648', '9223372036854775808', '9'.repeat(400)],
  // Milliseconds: before the first day of Postgres, after the last one of JavaScript.
  ...['-300000000000000', '8640000000000001'],
  ...['2026-02-31', '0000-01-01', '9999-12-31', '-271821-04-20', '+275760-09-13', 'infinity', '24:00', '9999-W53'],
  ...[`${NOBODY}.pinned`, ...['0000-01-01', '9999-12-31', 'infinity'].map(cursorAt)],
  ...UNWRITABLE,
];

/** As JSON, since JSON.stringify would make `null` of some. */
export const BAD_JSON: readonly string[] = [
  ...[...BAD_TEXTS, ...HALVES].map(text => JSON.stringify(text)),
  ...['0', '-1', '1.5', '1e309', '9223372036854775808', `1${'0'.repeat(400)}`, 'null', 'true', 'false', '[]'],
  ...['["hush"]', '[null]', '[1e309]', '{}', '{"$ne":null}', '{"toString":"hush"}', '["\\udc00"]'],
  ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, `[${'0,'.repeat(5000)}0]`],
];

/** Almost right, by the name of the field. */
export const NEAR_MISSES: Record<string, readonly string[]> = {
  phone: ['123', '+', '+0171234567', '0171 3920012', '+49 hush', '+123456', `+${'1'.repeat(16)}`],
  code: ['12', '12345678901', '12a45', '١٢٣٤٥', '1.5e3'],
  email: ['hush@', '@hush.example', 'hush@hush', 'a@hush.example, b@hush.example'],
  syncTime: ['25:00', '7:30'],
  timezone: ['Europe/Hush'],
};

/** Bodies that every JSON endpoint must reject. */
export const BAD_BODIES: readonly (readonly [body: string, type: string])[] = [
  ['{', 'application/json'],
  ['"hush"', 'application/json'],
  ['hush', 'application/json'],
  ['{"a":1}x', 'application/json'],
  ['{"hush":1}', 'multipart/form-data; boundary=x'],
  [`{"hush":"${'x'.repeat(110 * 1024)}"}`, 'application/json'],
  ['{"hush":1}', 'application/json; charset=hush'],
  ['{"hush":1}', 'text/plain'],
  ['<hush/>', 'application/xml'],
  ['hush=1', 'application/x-www-form-urlencoded'],
];
