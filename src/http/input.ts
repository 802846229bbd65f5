import type { z } from 'zod';
import { InvalidInput } from '../lib/errors.ts';

/**
 * Parses what was sent. A missing body counts as an empty one.
 * Throws InvalidInput with a sentence for each field; values are never repeated.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  refuseNulCharacters(input);
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= sentenceFor(issue);
  const [first] = Object.values(fields);
  throw new InvalidInput(first ?? 'This is not right.', fields);
}

/** Postgres stores no NUL characters, and nobody types one. */
function refuseNulCharacters(input: unknown) {
  if (JSON.stringify(input ?? {}).includes('\\u0000'))
    throw new InvalidInput('This holds a character that is not text.');
}

function sentenceFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.path.length === 0) return 'Send a JSON object.';
    return /received undefined/.test(issue.message) ? 'This is missing.' : `This must be a ${issue.expected}.`;
  }
  if (issue.code === 'too_big') return `This is too ${issue.origin === 'string' ? 'long' : 'large'}.`;
  return issue.message;
}
