import { cleanText, shorten } from './cleaning.ts';
import type { SummaryRequest } from './types.ts';

const LONGEST_NAME = 40;
/** Not names by themselves: "Van den Berg" is not "Van". */
const PARTICLES =
  /^(?:van|von|de|del|della|da|dos|du|di|le|la|el|al|bin|ibn|abu|ben|mac|mc|o|st|san|mr|mrs|ms|dr|herr|frau|sr|sra|prof)\.?$/iu;

/** What people are called in a summary: the first name where that is clear, else as much as needed. */
export type Names = { of(senderName: string): string; user: string; peer: string };

export function namesFor(request: SummaryRequest): Names {
  const senders = request.messages.map(message => message.senderName);
  const full = new Set([request.userName, request.peerName, ...senders].map(fullName));
  const firstNames = [...full].map(firstName);
  const taken = new Map<string, number>();
  for (const name of firstNames) taken.set(name, (taken.get(name) ?? 0) + 1);
  const of = (name: string) => {
    const whole = fullName(name);
    const short = firstName(whole);
    return (taken.get(short) ?? 0) > 1 ? whole : short;
  };
  return { of, user: of(request.userName), peer: request.isGroup ? fullName(request.peerName) : of(request.peerName) };
}

function fullName(name: string): string {
  const visible = cleanText(name).replaceAll('\n', ' ');
  const [personal = ''] = visible.split(/\s*(?:[|/(–—]|\s-\s)\s*/u);
  const letters = personal.replaceAll(/[^\p{L}\p{M}\p{N}\s.'’&-]/gu, '').trim();
  return shorten(letters || visible || 'Unknown', LONGEST_NAME);
}

function firstName(full: string): string {
  const [first = full] = full.split(' ');
  return first.length < 2 || PARTICLES.test(first) ? full : first;
}
