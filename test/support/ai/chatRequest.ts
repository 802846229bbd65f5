import { z } from 'zod';
import type { Mode, Sent } from './habits.ts';

const jsonSchema = z.record(z.string(), z.unknown());
const chatRequest = z.object({
  model: z.string().min(1),
  messages: z
    .array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.string() }))
    .min(1),
  response_format: z
    .discriminatedUnion('type', [
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ name: z.string(), strict: z.boolean().optional(), schema: jsonSchema }),
      }),
      z.object({ type: z.literal('json_object') }),
      z.object({ type: z.literal('text') }),
    ])
    .optional(),
  store: z.boolean().optional(),
  max_tokens: z.number().int().positive().optional(),
});

/** A request as a model and a test see it. */
export type SeenRequest = {
  model: string;
  /** The mode the client requested. */
  mode: Mode;
  /** Of the system message. */
  system: string;
  /** Of all user messages. */
  user: string;
  /** Tokens that the answer may take, where the client says so. */
  longest: number | undefined;
  /** The JSON lines of the data, parsed. */
  lines: Record<string, unknown>[];
  /** The code that an answer has to repeat; empty where it is not in what the model sees. */
  code: string;
  /** The body as it came. */
  body: Record<string, unknown>;
  /** Set when the model saw all of it and its whole answer was sent. */
  isAnswered?: boolean;
};

export type Refusal = { message: string; param: string | null };

/** Validates a request as the vendors do before they call the model. */
export function readRequest(
  body: unknown,
  { takes, takesLimit }: { takes: readonly Mode[]; takesLimit: boolean },
): SeenRequest | Refusal {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) return refusal(parsed.error.issues[0]?.path.join('.') ?? null, 'Invalid request body.');
  const { model, messages, response_format: format } = parsed.data;
  const mode = format?.type ?? 'text';
  if (!takes.includes(mode)) {
    return refusal('response_format', `Invalid parameter: 'response_format' of type '${mode}' is not supported.`);
  }
  const words = messages.map(({ content }) => content).join('\n');
  if (mode === 'json_object' && !/json/i.test(words)) {
    return refusal('messages', "'messages' must contain the word 'json' in some form.");
  }
  if (format?.type === 'json_schema' && format.json_schema.strict && !isStrict(format.json_schema.schema)) {
    return refusal('response_format', "Invalid schema for response_format: 'required' and 'additionalProperties'.");
  }
  const ofRole = (role: string) =>
    messages
      .filter(message => message.role === role)
      .map(({ content }) => content)
      .join('\n');
  const { max_tokens: longest } = parsed.data;
  if (longest !== undefined && !takesLimit) return refusal('max_tokens', "Unsupported parameter: 'max_tokens'.");
  return { model, mode, longest, body: parsed.data, ...readPrompt({ system: ofRole('system'), user: ofRole('user') }) };
}

/** What a model finds in a prompt, or in what is left of it. */
export function readPrompt({ system, user }: Sent) {
  const [, code = ''] = /^The code of this request is (\w+)\./.exec(system) ?? [];
  return { system, user, code, lines: jsonLines(user) };
}

function refusal(param: string | null, message: string): Refusal {
  return { message, param };
}

/** Strict schemas close every object and require every key; limits of a string's length are not supported. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  const parsed = jsonSchema.safeParse(schema);
  if (!parsed.success) return true;
  const { properties, required, additionalProperties, minLength, maxLength, ...others } = parsed.data;
  if (minLength !== undefined || maxLength !== undefined) return false;
  const inner = jsonSchema.safeParse(properties);
  if (!inner.success) return Object.values(others).every(isStrict);
  const keys = new Set(z.array(z.string()).catch([]).parse(required));
  const isClosed = additionalProperties === false && Object.keys(inner.data).every(key => keys.has(key));
  return isClosed && Object.values(inner.data).every(isStrict);
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap(line => {
    if (!line.startsWith('{')) return [];
    try {
      return [jsonSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
