import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Names under which a secret, or something a person wrote, could end up in a log line. */
const SECRET = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'code',
  'token',
  'authToken',
  'session',
  'credentials',
  'phone',
  'email',
  'text',
  'summary',
  'secret',
  'key',
];

/** JSON lines on standard output. Secrets are redacted by name, one and two levels deep. */
export function createLog(options: { level: string; name: string }, destination?: DestinationStream): Log {
  const redact = { paths: SECRET.flatMap(redactionPaths), censor: '[redacted]' };
  const settings = { level: options.level, base: { process: options.name }, redact, serializers: { err: errorForLog } };
  return destination ? pino(settings, destination) : pino(settings);
}

function redactionPaths(name: string): string[] {
  const step = `["${name}"]`;
  return [step, `*${step}`, `*.*${step}`];
}

/**
 * An error without its own extra properties: a database error carries the row, a vendor's the whole answer.
 * Messages of database errors are kept out as well, since they quote values.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const fromDatabase = 'severity' in error && 'routine' in error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter(line => line.trim().startsWith('at '));
  return {
    type: error.name,
    // Not `code`, which is redacted: that is what a login code would stand under.
    errorCode: code,
    ...(fromDatabase ? namesIn(error) : {}),
    message: fromDatabase ? `database error ${code}` : error.message,
    stack: frames.slice(0, 12).map(line => line.trim()),
    cause: error.cause instanceof Error ? errorForLog(error.cause) : undefined,
  };
}

/** Which part of the schema a database error is about: names of ours, no values. */
function namesIn(error: object): Record<string, unknown> {
  const { table, column, constraint } = error as Record<string, unknown>;
  return { table, column, constraint };
}
