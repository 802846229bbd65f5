import { distinctFromUser } from '../../lib/names/distinctFromUser.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { shorten } from '../../lib/words.ts';
import type { MessengerMessage } from '../messenger/types.ts';
import { cleanText } from './cleaning.ts';
import { foldInPlace } from './days/names.ts';
import { WORDS } from './languages/words.ts';
import type { SummaryRequest } from './types.ts';

const LONGEST_NAME = 40;
const MOST_READ = 200;

/** What people are called in a summary: the first name where that is clear, else as much as needed. */
export type Names = {
  of(senderName: string): string;
  /** The author of a message. Two people of one name are told apart by the messenger's id: "Anna", "Anna (2)". */
  sender(message: Sender): string;
  user: string;
  peer: string;
  /** Every word of every name, folded. */
  words: ReadonlySet<string>;
};

type Sender = Pick<MessengerMessage, 'senderName' | 'senderId' | 'fromUser'>;

export function namesFor(request: Omit<SummaryRequest, 'style'>): Names {
  const senders = request.messages.map(message => message.senderName);
  const written = [...new Set([request.userName, request.peerName, ...senders])];
  const read = apart(new Map(written.map(name => [name, nameOf(name)])));
  const people = new Map([...read.values()].map(name => [name.full, name]));
  const taken = Map.groupBy(people.values(), ({ short }) => short);
  const of = (name: string) => {
    const { full, short } = read.get(name) ?? nameOf(name);
    return shorten((taken.get(short)?.length ?? 0) > 1 ? full : short, LONGEST_NAME);
  };
  const fullOf = (name: string) => (read.get(name) ?? nameOf(name)).full;
  const bearers = new Map([[fullOf(request.userName), new Set([USER])]]);
  for (const sender of request.messages) {
    const full = fullOf(sender.senderName);
    if (!sender.fromUser) bearers.set(full, (bearers.get(full) ?? new Set()).add(idOf(sender)));
  }
  const sender = (one: Sender) => {
    const place = [...(bearers.get(fullOf(one.senderName)) ?? [])].indexOf(idOf(one));
    return place > 0 ? `${of(one.senderName)} (${place + 1})` : of(one.senderName);
  };
  const [other] = request.messages.filter(({ fromUser }) => !fromUser);
  const isOther = other && fullOf(other.senderName) === fullOf(request.peerName);
  const words = new Set([...people.keys()].flatMap(name => name.toLowerCase().split(' ')));
  const peer = request.isGroup ? groupName(request.peerName) : isOther ? sender(other) : of(request.peerName);
  return { of, sender, words, user: of(request.userName), peer };
}

const USER = 'user';

function idOf({ senderId, senderName, fromUser }: Sender): string {
  return fromUser ? USER : `${senderId ?? senderName}.`;
}

/** "Anna 1" and "Anna 2" are two people, though neither number is a name: what was left out tells them apart. */
function apart(read: Map<string, Name>): Map<string, Name> {
  const named = Map.groupBy(read.keys(), name => read.get(name)?.full ?? '');
  const kept = [...read].map(([name, readName]): [string, Name] => {
    const isAlone = (named.get(readName.full)?.length ?? 0) < 2;
    const visible = visibleName(name);
    return [
      name,
      isAlone || visible === '' ? readName : { full: distinctFromUser(visible), short: distinctFromUser(visible) },
    ];
  });
  return new Map(kept);
}

/** The name without decoration. No one is nameless: an emoji is better than nothing. */
type Name = { full: string; short: string };

function nameOf(name: string): Name {
  const visible = visibleName(name);
  const { display, short } = readPersonName(visible);
  const full = distinctFromUser(display || visible) || 'Unknown';
  // "Pan Kowalski" is no Pan.
  return { full, short: isTitleWord(short) ? full : short || distinctFromUser(visible) || 'Unknown' };
}

const TITLE = new RegExp(
  `^(?:${Object.values(WORDS)
    .flatMap(({ title }) => title ?? [])
    .join('|')})$`,
  'u',
);

/** "Frau", "Dott.ssa" */
export function isTitleWord(word: string): boolean {
  return TITLE.test(foldInPlace(word).replaceAll('.', ''));
}

function visibleName(name: string): string {
  return cleanText(name.slice(0, MOST_READ)).replaceAll('\n', ' ');
}

function groupName(name: string): string {
  const visible = cleanText(name)
    .replaceAll('\n', ' ')
    .replaceAll(/\p{Extended_Pictographic}/gu, '');
  return shorten(visible.replaceAll(/ +/g, ' ').trim() || 'Group', LONGEST_NAME);
}
