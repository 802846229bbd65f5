import { z } from 'zod';
import type { SeenRequest } from './chatRequest.ts';

/** Replaces the model: it returns text, or a value to be sent as JSON. */
export type Script = (request: SeenRequest) => unknown;

const message = z.object({ n: z.number(), from: z.string(), text: z.string() });
const sentence = z.object({ text: z.string(), lines: z.array(z.number()) });
const part = z.object({ part: z.number(), summary: z.array(sentence), actionItems: z.array(z.unknown()) });

/** A simple model: it quotes the first messages and treats those with "please" or "I will" as action items. */
export const honestModel: Script = ({ lines }) => {
  const parts = lines.flatMap(line => part.safeParse(line).data ?? []);
  if (parts.length > 0) {
    return digestOf(
      parts.flatMap(({ summary }) => summary.map(({ text }) => text)).join(' '),
      parts.flatMap(({ actionItems }) => actionItems),
    );
  }
  const messages = lines.flatMap(line => message.safeParse(line).data ?? []);
  const quotes = messages.slice(0, 3).map(({ from, text }) => `${from.replace(/^\w+: /, '')}: ${text}`);
  const tasks = messages.filter(({ text }) => /\bplease\b|\bI will\b/i.test(text)).slice(0, 5);
  return digestOf(quotes.join(' '), tasks.map(taskOf));
};

function taskOf({ n, from, text }: z.output<typeof message>) {
  const isUser = from.startsWith('user:');
  const promises = /\bI will\b/i.test(text);
  const owner = isUser === promises ? 'user' : 'contact';
  return { text, owner, ownerName: null, dueText: null, dueDate: null, lines: [n] };
}

/** The answer of a model that saw the code of its request: a script says only what the digest is. */
export function withCode(answer: unknown, code: string): unknown {
  const parsed = typeof answer === 'string' ? parse(answer) : answer;
  const isDigest = typeof parsed === 'object' && parsed !== null && 'summary' in parsed && !('code' in parsed);
  return isDigest ? { ...parsed, code } : answer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An otherwise empty digest in the requested form. */
export function digestOf(summary: string, actionItems: unknown[] = [], more: Record<string, unknown> = {}) {
  return {
    language: 'en',
    summary,
    topics: [],
    actionItems,
    sentiment: 'neutral',
    urgency: actionItems.length > 0 ? 'low' : 'none',
    meetings: [],
    introductions: [],
    dealSignals: [],
    ...more,
  };
}
