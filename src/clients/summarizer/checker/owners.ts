import { romanise } from '../../../lib/names/romanise.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { fold } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { isTitle } from '../names.ts';
import type { ActionItem } from '../types.ts';
import { contentWords, wordsOf } from '../words.ts';

type Owned = Pick<ActionItem, 'owner' | 'ownerName'>;

/** "Dott.ssa" is one. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:\.(?=\p{Ll})[\p{L}\p{M}]+)?/gu;

/**
 * Tells whose an item is: one of the people in the conversation, or someone they mentioned by name, such as the colleague
 * who is to do it; names are compared without titles, in any script. Whose name is not found keeps their side, without it.
 */
export function createOwners(
  { names, isGroup, pack, utterances }: Conversation,
  messages: readonly MessengerMessage[],
) {
  /** By how they are called in the digest, and by their whole name. */
  const user = { shown: names.user, name: names.user };
  const others = messages.filter(({ fromUser }) => !fromUser);
  const people = [
    ...(isGroup ? [] : [{ shown: names.peer, name: names.peer }]),
    ...others.map(message => ({ shown: names.sender(message), name: message.senderName })),
  ].filter(({ shown }) => shown !== names.user);
  /** Not as an everyday word. */
  const written = utterances.flatMap(({ sentences }) => sentences.flatMap(({ text }) => wordsIn(text)));
  const mentioned = new Set(written.map(word => fold(word, pack.code)));

  return function ownerOf({ owner, ownerName }: Owned): Owned {
    const words = wordsIn(ownerName ?? '');
    const name = words.join(' ');
    const meantIn = (list: typeof people) =>
      list.find(({ shown }) => name !== '' && shown.toLowerCase() === names.of(name).toLowerCase()) ??
      list.find(one => isSpelledAlike(wordsIn(one.name), words));
    const exact = people.find(({ shown }) => shown === ownerName);
    // Of two with the name of the user, the other one is meant.
    const person = exact ?? (owner === 'contact' ? (meantIn(people) ?? meantIn([user])) : meantIn([user, ...people]));
    if (owner === 'user' || person === user) return { owner: 'user', ownerName: names.user };
    if (person) return { owner: 'contact', ownerName: person.shown };
    const folded = wordsOf(fold(name, pack.code));
    const isMentioned = contentWords(folded, pack).length > 0 && folded.every(word => mentioned.has(word));
    if (isMentioned) return { owner, ownerName: name };
    return { owner, ownerName: owner === 'contact' && ownerName === null && !isGroup ? names.peer : null };
  };
}

/** Words that may be a name, and are no title. */
function wordsIn(text: string): string[] {
  return (text.match(WORD) ?? []).filter(word => !/^\p{Ll}/u.test(word) && !isTitle(word));
}

/** The same name in part, or in another script: "Dmitry Orlov" is Дмитрий Орлов. */
function isSpelledAlike(person: string[], name: string[]): boolean {
  const [ours, theirs] = [person.map(romanise), name.map(romanise)];
  const [shorter, longer] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
  return shorter.length > 0 && shorter.every(word => longer.some(other => other.some(form => word.includes(form))));
}
