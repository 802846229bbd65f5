import { once } from '../../lib/once.ts';
import { fold, wordsOf } from './cleaning.ts';
import type { Conversation, Utterance } from './conversation.ts';
import type { Author, Closing, OpenPromise } from './types.ts';

/** Letters. A name of one or two may be any word. */
export const SHORTEST_NAME = 3;

const idOf = ({ senderId }: Pick<Author, 'senderId'>) => senderId;

type Speaker = Pick<Utterance, 'speaker' | 'senderId' | 'fromUser'>;

/** Who may decide what about a promise. */
export type Authority = {
  isPromisor(speaker: Speaker): boolean;
  isPromisee(speaker: Speaker): boolean;
  mayClose(state: Closing['state'], speaker: Speaker): boolean;
};

/**
 * Kept by who owes it or received by who is owed; cancelled or handed over by who is owed, or the user; moved by either
 * of the two. In a private chat these are the two sides. In a group they are the ones who are named or wrote the messages
 * that the promise rests on, and anyone else leaves a doubt at most. People are told apart by the messenger's id: anyone
 * can take the name of another. Where the id is not known, the name must be that of the only one who ever had it.
 */
export function authorityOver(promise: OpenPromise, conversation: Conversation): Authority {
  const { direction, who, request } = promise;
  const askers = request ? [{ ...request, name: request.who }] : [];
  const authors = [...(promise.authors ?? []), ...askers];
  const { isGroup, names, utterances } = conversation;

  const isCalled = (name: string, of: string) =>
    name === of || name === names.of(of) || names.of(name) === names.of(of);
  const isOneOf = (people: Author[], speaker: Speaker) =>
    people.some(({ senderId, name, fromUser }) => {
      if (fromUser || speaker.fromUser) return fromUser === speaker.fromUser;
      if (senderId && speaker.senderId) return senderId === speaker.senderId;
      return isOnly(speaker, called => isCalled(called, name));
    });
  const isAuthor = (speaker: Speaker) => isOneOf(authors, speaker);
  /** Other authors of the source messages count only if nothing better is known: no request, not owed to the user. */
  const isAsker = (speaker: Speaker) =>
    isOneOf(askers.length > 0 || direction === 'theirs' ? askers : authors, speaker);
  const then = [...authors, ...(promise.people ?? [])].filter(({ fromUser }) => !fromUser);
  const now = utterances.map(({ speaker: name, senderId, fromUser }) => ({ name, senderId, fromUser }));
  /**
   * Whether the name identifies this speaker alone, among all who ever wrote here. Someone who took the name only after
   * the promise was made doesn't count. If an author has the name, the speaker must be that author.
   */
  const isOnly = (speaker: Speaker, isOf: (name: string) => boolean): boolean => {
    if (speaker.fromUser) return false;
    const named = authors.filter(({ name, senderId, fromUser }) => senderId && !fromUser && isOf(name));
    if (named.length > 0 && speaker.senderId) return named.some(({ senderId }) => senderId === speaker.senderId);
    const before = then.filter(({ name }) => isOf(name));
    const bearers = new Set([...before, ...now.filter(({ name, fromUser }) => !fromUser && isOf(name))].map(idOf));
    bearers.delete(undefined);
    if (!speaker.senderId) return bearers.size === 0 && before.length > 0 && isOf(speaker.speaker);
    return bearers.size === 1 && before.some(({ senderId }) => senderId === speaker.senderId);
  };
  const firstNameOf = (name: string) => wordsOf(fold(name, conversation.pack.code))[0] ?? '';
  /** "Send Marco the contract" is owed to Marco, whoever asked for it. */
  const saidWords = once(() => new Set(wordsOf(fold(promise.text, conversation.pack.code))));
  const isMentioned = (speaker: Speaker) => {
    const first = firstNameOf(speaker.speaker);
    const isSaid = first.length >= SHORTEST_NAME && saidWords().has(first);
    return isSaid && isOnly(speaker, name => firstNameOf(name) === first);
  };

  const isDoer = (speaker: Speaker) => {
    if (direction === 'mine') return speaker.fromUser;
    if (direction === 'unassigned') return !isGroup || speaker.fromUser || isAuthor(speaker);
    if (speaker.fromUser) return false;
    return !isGroup || (who === null ? isAuthor(speaker) : isOnly(speaker, name => isCalled(name, who)));
  };
  const isOwed = (speaker: Speaker) => {
    if (direction === 'unassigned') return isDoer(speaker);
    if (isDoer(speaker)) return false;
    return !isGroup || speaker.fromUser || isAsker(speaker) || isMentioned(speaker);
  };
  return {
    isPromisor: isDoer,
    isPromisee: isOwed,
    mayClose(state, speaker) {
      if (state === 'doubtful') return true;
      if (state === 'cancelled' || state === 'handedOver') return speaker.fromUser || isOwed(speaker);
      return isDoer(speaker) || isOwed(speaker);
    },
  };
}
