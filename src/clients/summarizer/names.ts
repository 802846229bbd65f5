import { cleanText, shorten } from './cleaning.ts';
import type { SummaryRequest } from './types.ts';

const LONGEST_NAME = 40;
const MOST_READ = 200;
/** Not names by themselves: "Van den Berg" is not "Van". */
const PARTICLES = /^(?:van|von|de|del|della|da|dos|du|di|le|la|el|bin|ibn|abu|san)$/iu;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|herr|frau|sr|sra|don|doña|mme|pan|pani)\.?$/iu;

/** What people are called in a summary: the first name where that is clear, else as much as needed. */
export type Names = {
  of(senderName: string): string;
  user: string;
  peer: string;
  /** Every word of every name, folded. */
  words: ReadonlySet<string>;
};

export function namesFor(request: SummaryRequest): Names {
  const senders = request.messages.map(message => message.senderName);
  const full = new Map(
    [...new Set([request.userName, request.peerName, ...senders])].map(name => [name, fullName(name)]),
  );
  const people = new Set(full.values());
  const taken = new Map<string, number>();
  for (const name of people) taken.set(firstName(name), (taken.get(firstName(name)) ?? 0) + 1);
  const of = (name: string) => {
    const whole = full.get(name) ?? fullName(name);
    const short = firstName(whole);
    return shorten((taken.get(short) ?? 0) > 1 ? whole : short, LONGEST_NAME);
  };
  const words = new Set([...people].flatMap(name => name.toLowerCase().split(' ')));
  const peer = request.isGroup ? groupName(request.peerName) : of(request.peerName);
  return { of, words, user: of(request.userName), peer };
}

/** The name without what people put behind it: companies, functions, brackets, emoji. */
function fullName(name: string): string {
  const visible = cleanText(name.slice(0, MOST_READ)).replaceAll('\n', ' ');
  const personal = visible.split(/[|/(,–—]|\s-\s/u).find(part => /\p{L}/u.test(part)) ?? visible;
  const letters = personal.replaceAll(/[^\p{L}\p{M}\p{N}\s.'’&-]/gu, '').trim();
  return letters || visible || 'Unknown';
}

function firstName(full: string): string {
  const words = full.split(' ');
  const [first = full] = words;
  if (TITLES.test(first) && words.length > 1) return `${first} ${words.at(-1)}`;
  return first.length < 2 || PARTICLES.test(first) ? full : first;
}

function groupName(name: string): string {
  const visible = cleanText(name)
    .replaceAll('\n', ' ')
    .replaceAll(/\p{Extended_Pictographic}/gu, '');
  return shorten(visible.replaceAll(/ +/g, ' ').trim() || 'Group', LONGEST_NAME);
}
