/** What a model reads. */
export type PromptText = { system: string; user: string };

/** The ways to request JSON. */
export type Mode = 'json_schema' | 'json_object' | 'text';

/** What a server answers with. */
export type Whole = { choices: readonly [{ message: { content: string }; finish_reason: string }] };

/** How a server differs from the vendor's own. */
export type Habits = {
  /** The ways to request JSON that it takes. Any other is a 400. */
  takes?: readonly Mode[];
  /** What its model makes of the JSON, whatever way it was requested in. */
  writes?: (json: string) => string;
  /** How many tokens of prompt and answer together its model sees. */
  context?: number;
  /** Of a prompt that is longer: an error, or silence about the front that is dropped. */
  overflow?: 'refuses' | 'dropsFront';
  /** What the usage in its answers counts. */
  counts?: 'read' | 'nothing';
  /** How it wraps what its model wrote. */
  answers?: (whole: Whole) => unknown;
  /** What it offers. */
  models?: readonly string[];
  /** How many tokens it says that each of them takes in. */
  contextSaid?: number;
};

const ALL: readonly Mode[] = ['json_schema', 'json_object', 'text'];
export const VENDOR = { takes: ALL, counts: 'read', overflow: 'refuses', models: ['gpt-test'] } satisfies Habits;

/** What is known of each server, with a context as small as it comes. */
export const SERVERS = {
  'OpenAI and OpenRouter': {},
  Ollama: { context: 4096, overflow: 'dropsFront' },
  'LM Studio': { takes: ['json_schema', 'text'], context: 4096 },
  'llama.cpp and vLLM': { context: 4096 },
  'one that ignores the format': { writes: json => `Here is the digest:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?` },
  'one without json_schema': { takes: ['json_object', 'text'] },
} as const satisfies Record<string, Habits>;

/** How the words of a refusal differ does not matter to a person, but to whoever has to tell it from others. */
export function tooLongFor(context: number, tokens: number): string {
  return `This model's maximum context length is ${context} tokens. However, your request has ${tokens} input tokens.`;
}

/** About what a tokenizer counts, and never fewer than there are words. */
export function tokensIn(text: string): number {
  return Math.max(Math.ceil(text.length / 4), text.split(/\s+/).length);
}

export function promptTokens({ system, user }: PromptText): number {
  return tokensIn(system) + tokensIn(user);
}

/** What is left of a prompt in so many tokens: its end. */
export function cutPrompt({ system, user }: PromptText, context: number): PromptText {
  const over = Math.max(0, Math.ceil((system.length + user.length) * (1 - context / promptTokens({ system, user }))));
  return { system: system.slice(over), user: user.slice(Math.max(0, over - system.length)) };
}
