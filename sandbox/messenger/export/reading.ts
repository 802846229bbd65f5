import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { StartError } from '../../../src/lib/errors.ts';
import { accountSchema, chatSchema, type ExportAccount } from './schema.ts';

const PROBLEMS_SHOWN = 3;
const FORMAT_HINT = 'In Telegram Desktop export with the format "Machine-readable JSON" and give its result.json.';

/** Parses the text of a result.json. Throws StartError naming the line when it is not JSON. */
export function parseJson(text: string): unknown {
  const content = withValidEscapes(text.replace(/^\uFEFF/, ''));
  if (content.trim() === '') throw new StartError(`The file is empty. ${FORMAT_HINT}`);
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own message quotes the text around the error, which is private: only the place is named.
    throw new StartError(`The file is not JSON: ${firstJsonError(content)}. ${FORMAT_HINT}`);
  }
}

/** Telegram Desktop writes control characters as \x0B, which JSON does not know. */
function withValidEscapes(text: string): string {
  if (!text.includes('\\x')) return text;
  return text.replace(/\\(?:x([0-9A-F]{2})|[^x])/g, (sequence, code) => (code ? `\\u00${code}` : sequence));
}

function firstJsonError(content: string): string {
  const errors: ParseError[] = [];
  parse(content, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return 'it can not be read';
  const before = content.slice(0, first.offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const reason = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return `${reason} at line ${before.length}, column ${column}`;
}

/**
 * Checks a whole-account or single-chat export and returns it as an account. Throws StartError with the first problems.
 */
export function readExport(json: unknown): ExportAccount {
  if (isObject(json) && 'chats' in json) return checked(accountSchema, json);
  if (isObject(json) && 'messages' in json) return { chats: { list: [checked(chatSchema, json)] } };
  const missing = 'no chats found: expected "chats" (a whole account) or "messages" (a single chat) at the top';
  throw new StartError(`This is not a Telegram export, ${missing}. When exporting, tick the chats to be included.`);
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function checked<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const { issues } = result.error;
  const shown = issues.slice(0, PROBLEMS_SHOWN).map(issue => `${z.core.toDotPath(issue.path)}: ${issue.message}`);
  const more = issues.length - shown.length;
  throw new StartError([...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
}
