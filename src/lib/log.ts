import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const OF_REQUESTS = ['authorization', 'cookie', 'set-cookie', 'session'];
const SECRETS = ['password', 'code', 'token', 'authToken', 'credentials', 'secret', 'key'];
/** Names under which a secret, or something a person wrote, could end up in a log line. */
const REDACTED = [...OF_REQUESTS, ...SECRETS, 'phone', 'email', 'text', 'summary'];

/** JSON lines on standard output. Secrets are redacted by name, one and two levels deep. */
export function createLog(options: { level: string; name: string }, destination?: DestinationStream): Log {
  const redact = { paths: REDACTED.flatMap(redactionPaths), censor: '[redacted]' };
  const formatters = { log: withError };
  const base = { process: options.name };
  const settings = { level: options.level, base, redact, formatters, serializers: { err: errorForLog } };
  return destination ? pino(settings, destination) : pino(settings);
}

/** A rejection without any reason is logged as `undefined` rather than left out. */
function withError(line: Record<string, unknown>): Record<string, unknown> {
  return 'err' in line && line.err === undefined ? { ...line, err: 'undefined' } : line;
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
  if (!(error instanceof Error)) return { type: typeof error, message: describeThrown(error) };
  const fromDatabase = 'severity' in error && 'routine' in error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter(line => line.trim().startsWith('at '));
  return {
    type: error.name,
    // Renamed from `code`, which is redacted because of login codes.
    errorCode: code,
    ...(fromDatabase ? schemaNames(error) : {}),
    message: fromDatabase ? `database error ${code}` : error.message,
    stack: frames.slice(0, 12).map(line => line.trim()),
    cause: error.cause instanceof Error ? errorForLog(error.cause) : undefined,
  };
}

const MAX_TEXT_LENGTH = 300;

/** A line for a thrown value that is no error; of an object, its message. */
function describeThrown(thrown: unknown): string {
  const { message = thrown }: { message?: unknown } = Object(thrown);
  return String(message).replace(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH);
}

/** Schema names in a database error, without values. */
function schemaNames(error: object): Record<string, unknown> {
  const { table, column, constraint } = error as Record<string, unknown>;
  return { table, column, constraint };
}
