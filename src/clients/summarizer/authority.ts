import { once } from '../../lib/once.ts';
import { fold, wordsOf } from './cleaning.ts';
import type { Conversation, Utterance } from './conversation.ts';
import type { Author, Closing, OpenPromise } from './types.ts';

/** Letters. A name of one or two may be any word. */
export const SHORTEST_NAME = 3;

type Speaker = Pick<Utterance, 'speaker' | 'senderId' | 'fromUser'>;

type Parties = { isPromisor(speaker: Speaker): boolean; isPromisee(speaker: Speaker): boolean };

/**
 * Kept by who owes it or received by who is owed; cancelled or handed over by who is owed, or the user; moved by either
 * of the two. In a private chat these are the two sides. In a group they are the ones who are named or wrote the messages
 * that the promise rests on, and anyone else leaves a doubt at most. People are told apart by the messenger's id: anyone
 * can take the name of another. Where the id is not known, the name must be that of the only one who ever had it.
 */
export function authorityOver(promise: OpenPromise, conversation: Conversation) {
  const { isPromisor, isPromisee } = conversation.isGroup ? inGroup(promise, conversation) : inPrivate(promise);
  return function mayClose(state: Closing['state'], speaker: Speaker): boolean {
    if (state === 'doubtful') return true;
    if (state === 'cancelled' || state === 'handedOver') return speaker.fromUser || isPromisee(speaker);
    return isPromisor(speaker) || isPromisee(speaker);
  };
}

function inPrivate({ direction }: OpenPromise): Parties {
  if (direction === 'unassigned') return { isPromisor: () => true, isPromisee: () => true };
  const isPromisor = ({ fromUser }: Speaker) => fromUser === (direction === 'mine');
  return { isPromisor, isPromisee: speaker => !isPromisor(speaker) };
}

function inGroup(promise: OpenPromise, conversation: Conversation): Parties {
  const { direction, who, request } = promise;
  const { names, pack } = conversation;
  const askers = request ? [{ ...request, name: request.who }] : [];
  const authors = [...(promise.authors ?? []), ...askers];
  const isOnly = identifying(authors, promise.people ?? [], conversation);
  const isCalled = (name: string, of: string) =>
    name === of || name === names.of(of) || names.of(name) === names.of(of);
  const isOneOf = (people: Author[], speaker: Speaker) =>
    people.some(({ senderId, name, fromUser }) => {
      if (fromUser || speaker.fromUser) return fromUser === speaker.fromUser;
      if (senderId && speaker.senderId) return senderId === speaker.senderId;
      return isOnly(speaker, called => isCalled(called, name));
    });
  /** Other authors of the source messages count only if nothing better is known: no request, not owed to the user. */
  const owedTo = askers.length > 0 || direction === 'theirs' ? askers : authors;
  const firstNameOf = (name: string) => wordsOf(fold(name, pack.code))[0] ?? '';
  const saidWords = once(() => new Set(wordsOf(fold(promise.text, pack.code))));
  /** "Send Marco the contract" is owed to Marco, whoever asked for it. */
  const isMentioned = (speaker: Speaker) => {
    const first = firstNameOf(speaker.speaker);
    const isSaid = first.length >= SHORTEST_NAME && saidWords().has(first);
    return isSaid && isOnly(speaker, name => firstNameOf(name) === first);
  };
  const isPromisor = (speaker: Speaker) => {
    if (direction === 'mine') return speaker.fromUser;
    if (direction === 'unassigned') return speaker.fromUser || isOneOf(authors, speaker);
    if (speaker.fromUser) return false;
    return who === null ? isOneOf(authors, speaker) : isOnly(speaker, name => isCalled(name, who));
  };
  const isPromisee = (speaker: Speaker) => {
    if (direction === 'unassigned') return isPromisor(speaker);
    return !isPromisor(speaker) && (speaker.fromUser || isOneOf(owedTo, speaker) || isMentioned(speaker));
  };
  return { isPromisor, isPromisee };
}

/**
 * Tells whether a name identifies a speaker alone, among all who ever wrote here. Someone who took the name only after
 * the promise was made doesn't count. If an author has the name, the speaker must be that author.
 */
function identifying(authors: Author[], people: Author[], { utterances }: Conversation) {
  const then = [...authors, ...people].filter(({ fromUser }) => !fromUser);
  const now = utterances.filter(({ fromUser }) => !fromUser).map(({ speaker: name, senderId }) => ({ name, senderId }));
  return (speaker: Speaker, isOf: (name: string) => boolean): boolean => {
    if (speaker.fromUser) return false;
    const before = then.filter(({ name }) => isOf(name));
    const named = authors.filter(({ name, senderId, fromUser }) => senderId && !fromUser && isOf(name));
    if (named.length > 0 && speaker.senderId) return named.some(({ senderId }) => senderId === speaker.senderId);
    const bearers = new Set([...before, ...now.filter(({ name }) => isOf(name))].map(({ senderId }) => senderId));
    bearers.delete(undefined);
    if (!speaker.senderId) return bearers.size === 0 && before.length > 0 && isOf(speaker.speaker);
    return bearers.size === 1 && before.some(({ senderId }) => senderId === speaker.senderId);
  };
}
