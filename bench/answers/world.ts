import type { SummaryRequest } from '../../src/clients/summarizer/types.ts';
import { conversation } from '../../test/clients/summarizer/conversations.ts';
import { OBEYED, WORDS } from './failures.ts';

export type Chat = {
  /** The name by which the model knows whom it is with; unique. */
  name: string;
  userId: number;
  request: SummaryRequest;
};

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'zo'];

/** A number between 0 and 1, the same sequence for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map(value => ({ value, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);
}

/** Conversations of 3 to 40 messages, every tenth of 150, each with someone else. */
export function chatsOf(count: number, users: number): Chat[] {
  return Array.from({ length: count }, (_, index) => {
    const name = nameOf(index);
    const userId = index % users;
    const lines = Array.from({ length: index % 10 === 9 ? 150 : 3 + ((index * 7) % 38) }, (__, n) => {
      const words = `Point ${n + 1}: the delivery to warehouse ${index} is on its way and the papers are signed.`;
      return n % 4 === 3 ? 'Sam: Thank you, I will look at it.' : `${name}: ${words}`;
    });
    const source = { conversation: `${userId}/${index}`, author: name };
    return { name, userId, request: conversation(lines, { source }) };
  });
}

/** With what makes a server's error look like another, and what the model may obey. */
export function withHostileWords({ name, ...chat }: Chat, isObeyed: boolean): Chat {
  const lines = chat.request.messages.map(({ fromUser, text }) => `${fromUser ? 'Sam' : name}: ${text}`);
  const more = [`${name}: ${WORDS}`, ...(isObeyed ? [`${name}: ${OBEYED}`] : [])];
  const request = conversation([...lines, ...more], { source: chat.request.source });
  return { ...chat, name, request };
}

function nameOf(index: number): string {
  const [a, b, c] = [index % 14, Math.floor(index / 14) % 14, Math.floor(index / 196) % 14];
  const word = [a, b, c].map(at => SYLLABLES[at]).join('');
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}n`;
}
