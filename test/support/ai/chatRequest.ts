import { z } from 'zod';
import type { Mode, PromptText } from './habits.ts';

const jsonSchema = z.record(z.string(), z.unknown());
const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.string() })).min(1),
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
  /** The JSON lines of the data, parsed: messages as objects, with their day, and whether they stand before "new". */
  lines: Record<string, unknown>[];
  /** The body as it came. */
  body: Record<string, unknown>;
};

export type Refusal = { message: string; param: string | null };

/** Validates a request as the vendors do before they call the model. */
export function readRequest(body: unknown, { takes }: { takes: readonly Mode[] }): SeenRequest | Refusal {
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
  return { model, mode, body: parsed.data, ...readPrompt({ system: ofRole('system'), user: ofRole('user') }) };
}

/** What a model finds in a prompt, or in what is left of it. */
export function readPrompt({ system, user }: PromptText) {
  return { system, user, lines: dataIn(user) };
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

const message = z.tuple([z.number(), z.string(), z.string(), z.string()], z.string());

function dataIn(text: string): Record<string, unknown>[] {
  const data = text.split('\n').flatMap(line => (/^[{["]/.test(line) ? [parse(line)] : []));
  const firstNew = data.indexOf('new');
  let day = '';
  return data.flatMap<Record<string, unknown>>((value, at) => {
    if (typeof value === 'string') day = value === 'new' ? day : value;
    const said = message.safeParse(value).data;
    if (!said) return jsonSchema.safeParse(value).data ?? [];
    const [n, time, who, text, ...marks] = said;
    const from = who === 'you' ? 'user: you' : `contact: ${who}`;
    const more = Object.fromEntries([...marks, ...(at < firstNew ? ['told'] : [])].map(mark => [mark, true]));
    return { n, from, at: `${day} ${time}`, text, ...more };
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
