import type { z } from 'zod';
import { InvalidInput } from '../lib/errors.ts';

/**
 * Parses what was sent. A missing body counts as an empty one.
 * Throws InvalidInput with a sentence for each field; values are never repeated.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input ?? {}, { error: sentenceFor });
  if (parsed.success) {
    refuseUnwanted(parsed.data);
    return parsed.data;
  }
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message;
  const [first] = Object.values(fields);
  throw new InvalidInput(first ?? 'This isn’t valid.', fields);
}

/** Any control character except tabs and line endings, and half a character: Postgres stores no NUL and, in JSON, no half. */
const UNWANTED = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** No one types one. Only what the schema let through is checked. */
function refuseUnwanted(value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string' && UNWANTED.test(value)) {
    const sentence = 'This contains an invalid character.';
    throw new InvalidInput(sentence, { [path.join('.') || 'body']: sentence });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [field, part] of Object.entries(value)) refuseUnwanted(part, [...path, field]);
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** For issues that the schema has no sentence of its own for. */
function sentenceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'object') return 'Send a JSON object.';
    return issue.input === undefined ? 'This is missing.' : `This must be ${KINDS[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_value') return `Choose one of ${issue.values.join(', ')}.`;
  if (issue.code === 'too_big') return `This is too ${issue.origin === 'string' ? 'long' : 'large'}.`;
  if (issue.code === 'too_small') return issue.input === '' ? 'This is missing.' : 'This is too small.';
  return 'This isn’t valid.';
}
