import { MIN_NAME_LENGTH } from '../../../lib/names/personName.ts';
import { once } from '../../../lib/once.ts';
import { fold, toWords } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import type { Author, Closing, OpenPromise } from '../types.ts';

type Speaker = Pick<Utterance, 'speaker' | 'senderId' | 'fromUser'>;

type Parties = { isPromisor(speaker: Speaker): boolean; isPromisee(speaker: Speaker): boolean };

/**
 * Returns whether a speaker may settle the promise in this way. Either side may say that it is done, or move it. Only the
 * creditor or the user may cancel it or hand it over. In a private chat the sides are its two people; in a group, the people
 * named and the authors of the source messages. Everyone else can only raise a doubt. People are identified by messenger id,
 * since anyone can take another's name; without an id, the name must be unique in the chat.
 */
export function createClosingAuthority(promise: OpenPromise, conversation: Conversation) {
  const { isPromisor, isPromisee } = conversation.isGroup
    ? findGroupParties(promise, conversation)
    : findPrivateParties(promise);
  return function hasAuthority(state: Closing['state'], speaker: Speaker): boolean {
    if (state === 'doubtful') return true;
    if (state === 'cancelled' || state === 'handedOver') return speaker.fromUser || isPromisee(speaker);
    return isPromisor(speaker) || isPromisee(speaker);
  };
}

function findPrivateParties({ direction }: OpenPromise): Parties {
  if (direction === 'unassigned') return { isPromisor: () => true, isPromisee: () => true };
  const isPromisor = ({ fromUser }: Speaker) => fromUser === (direction === 'mine');
  return { isPromisor, isPromisee: speaker => !isPromisor(speaker) };
}

function findGroupParties(promise: OpenPromise, conversation: Conversation): Parties {
  const { direction, who, request } = promise;
  const { names, pack } = conversation;
  const askers = request ? [{ ...request, name: request.who }] : [];
  const authors = [...(promise.authors ?? []), ...askers];
  const isOnlyBearer = createBearerCheck(authors, promise.people ?? [], conversation);
  const isCalled = (name: string, of: string) =>
    name === of || name === names.displayName(of) || names.displayName(name) === names.displayName(of);
  const isOneOf = (people: Author[], speaker: Speaker) =>
    people.some(({ senderId, name, fromUser }) => {
      if (fromUser || speaker.fromUser) return fromUser === speaker.fromUser;
      if (senderId && speaker.senderId) return senderId === speaker.senderId;
      return isOnlyBearer(speaker, called => isCalled(called, name));
    });
  /** Other authors of the source messages count only if nothing better is known: no request, not owed to the user. */
  const owedTo = askers.length > 0 || direction === 'theirs' ? askers : authors;
  const firstNameOf = (name: string) => toWords(fold(name, pack.code))[0] ?? '';
  const saidWords = once(() => new Set(toWords(fold(promise.text, pack.code))));
  /** "Send Marco the contract" is owed to Marco, whoever asked for it. */
  const isMentioned = (speaker: Speaker) => {
    const first = firstNameOf(speaker.speaker);
    const isSaid = first.length >= MIN_NAME_LENGTH && saidWords().has(first);
    return isSaid && isOnlyBearer(speaker, name => firstNameOf(name) === first);
  };
  const isPromisor = (speaker: Speaker) => {
    if (direction === 'mine') return speaker.fromUser;
    if (direction === 'unassigned') return speaker.fromUser || isOneOf(authors, speaker);
    if (speaker.fromUser) return false;
    return who === null ? isOneOf(authors, speaker) : isOnlyBearer(speaker, name => isCalled(name, who));
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
function createBearerCheck(authors: Author[], people: Author[], { utterances }: Conversation) {
  const earlierPeople = [...authors, ...people].filter(({ fromUser }) => !fromUser);
  const currentPeople = utterances
    .filter(({ fromUser }) => !fromUser)
    .map(({ speaker: name, senderId }) => ({ name, senderId }));
  return (speaker: Speaker, hasName: (name: string) => boolean): boolean => {
    if (speaker.fromUser) return false;
    const earlierBearers = earlierPeople.filter(({ name }) => hasName(name));
    const named = authors.filter(({ name, senderId, fromUser }) => senderId && !fromUser && hasName(name));
    if (named.length > 0 && speaker.senderId) return named.some(({ senderId }) => senderId === speaker.senderId);
    const bearers = new Set(
      [...earlierBearers, ...currentPeople.filter(({ name }) => hasName(name))].map(({ senderId }) => senderId),
    );
    bearers.delete(undefined);
    if (!speaker.senderId) return bearers.size === 0 && earlierBearers.length > 0 && hasName(speaker.speaker);
    return bearers.size === 1 && earlierBearers.some(({ senderId }) => senderId === speaker.senderId);
  };
}
