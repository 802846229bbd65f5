import { distinctFromUser } from '../../lib/names/distinctFromUser.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { shorten } from '../../lib/words.ts';
import type { MessengerMessage } from '../messenger/types.ts';
import { cleanText } from './cleaning.ts';
import { foldInPlace } from './days/names.ts';
import { WORD_PATTERNS } from './languages/words.ts';
import type { SummaryRequest } from './types.ts';

const MAX_NAME_LENGTH = 40;
const MAX_READ_LENGTH = 200;

/** Short names for summaries: the first name if unique, otherwise as much as needed. */
export type Names = {
  displayName(senderName: string): string;
  /** Display name of a message's author. Namesakes are numbered by messenger id: "Anna", "Anna (2)". */
  sender(message: Sender): string;
  user: string;
  peer: string;
  /** Every word of every name, folded. */
  words: ReadonlySet<string>;
};

type Sender = Pick<MessengerMessage, 'senderName' | 'senderId' | 'fromUser'>;

export function createNames(request: Omit<SummaryRequest, 'style'>): Names {
  const senders = request.messages.map(message => message.senderName);
  const written = [...new Set([request.userName, request.peerName, ...senders])];
  const read = distinguishNumbered(new Map(written.map(name => [name, parseName(name)])));
  const people = new Map([...read.values()].map(name => [name.full, name]));
  const byShortName = Map.groupBy(people.values(), ({ short }) => short);
  const shortestName = (name: string) => {
    const { full, short } = read.get(name) ?? parseName(name);
    return shorten((byShortName.get(short)?.length ?? 0) > 1 ? full : short, MAX_NAME_LENGTH);
  };
  const findFullName = (name: string) => (read.get(name) ?? parseName(name)).full;
  const bearers = new Map([[findFullName(request.userName), new Set([USER])]]);
  for (const sender of request.messages) {
    const full = findFullName(sender.senderName);
    if (!sender.fromUser) bearers.set(full, (bearers.get(full) ?? new Set()).add(senderKey(sender)));
  }
  const sender = (one: Sender) => {
    const place = [...(bearers.get(findFullName(one.senderName)) ?? [])].indexOf(senderKey(one));
    return place > 0 ? `${shortestName(one.senderName)} (${place + 1})` : shortestName(one.senderName);
  };
  const [other] = request.messages.filter(({ fromUser }) => !fromUser);
  const isOther = other && findFullName(other.senderName) === findFullName(request.peerName);
  const words = new Set([...people.keys()].flatMap(name => name.toLowerCase().split(' ')));
  const person = isOther ? sender(other) : shortestName(request.peerName);
  const peer = request.isGroup ? groupName(request.peerName) : person;
  return { displayName: shortestName, sender, words, user: shortestName(request.userName), peer };
}

const USER = 'user';

const senderKey = ({ senderId, senderName, fromUser }: Sender): string => (fromUser ? USER : `${senderId ?? senderName}.`);

/** Numbers, though no part of a name, distinguish "Anna 1" from "Anna 2". */
function distinguishNumbered(read: Map<string, Name>): Map<string, Name> {
  const named = Map.groupBy(read.keys(), name => read.get(name)?.full ?? '');
  const kept = [...read].map(([name, readName]): [string, Name] => {
    const isAlone = (named.get(readName.full)?.length ?? 0) < 2;
    const visible = cleanName(name);
    return [
      name,
      isAlone || visible === '' ? readName : { full: distinctFromUser(visible), short: distinctFromUser(visible) },
    ];
  });
  return new Map(kept);
}

/** Name without decoration; an emoji if there is nothing else. */
type Name = { full: string; short: string };

function parseName(name: string): Name {
  const visible = cleanName(name);
  const { display, short } = readPersonName(visible);
  const full = distinctFromUser(display || visible) || 'Unknown';
  // A title such as "Pan" is no short name.
  return { full, short: isTitleWord(short) ? full : short || distinctFromUser(visible) || 'Unknown' };
}

const TITLE = new RegExp(
  `^(?:${Object.values(WORD_PATTERNS)
    .flatMap(({ title }) => title ?? [])
    .join('|')})$`,
  'u',
);

/** "Frau", "Dott.ssa" */
export const isTitleWord = (word: string): boolean => TITLE.test(foldInPlace(word).replaceAll('.', ''));

const cleanName = (name: string): string => cleanText(name.slice(0, MAX_READ_LENGTH)).replaceAll('\n', ' ');

function groupName(name: string): string {
  const visible = cleanText(name)
    .replaceAll('\n', ' ')
    .replaceAll(/\p{Extended_Pictographic}/gu, '');
  return shorten(visible.replaceAll(/ +/g, ' ').trim() || 'Group', MAX_NAME_LENGTH);
}
