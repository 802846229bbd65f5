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

type Meeting = { text: string; dateText: string | null; date: string | null; lines: number[] };
type More = { meetings?: Meeting[] } & Record<string, unknown>;

function appointmentOf({ dateText: dueText, date: dueDate, ...meeting }: Meeting) {
  return { ...meeting, owner: 'user', ownerName: null, kind: 'appointment', dueText, dueDate };
}

/** An otherwise empty digest in the requested form. */
export function digestOf(summary: string, items: unknown[] = [], { meetings = [], ...more }: More = {}) {
  const actionItems = [...items, ...meetings.map(appointmentOf)];
  return {
    summary,
    topics: [],
    actionItems,
    sentiment: 'neutral',
    urgency: actionItems.length > 0 ? 'low' : 'none',
    introductions: [],
    dealSignals: [],
    ...more,
  };
}
