import { romanise } from '../../../lib/names/romanise.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import type { ActionItem } from '../types.ts';
import { contentWords, wordsOf } from '../words.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

type Owned = Pick<ActionItem, 'owner' | 'ownerName'>;

/**
 * Tells whose an item is: one of the people in the conversation, or someone they mentioned by name, such as the
 * colleague who is to do it. Any other name is left out.
 */
export function createOwners({ names, isGroup, speakers, pack }: Conversation) {
  /** "Kemal", as one of the messages cited writes it: not an everyday word, and not a name that no one wrote there. */
  const isSaid = (name: string, cited: Utterance[]) => {
    const written = cited.flatMap(({ sentences }) => sentences.flatMap(({ text }) => text.match(WORD) ?? []));
    const named = new Set(written.filter(word => !/^\p{Ll}/u.test(word)).map(word => fold(word, pack.code)));
    const words = wordsOf(fold(name, pack.code));
    return contentWords(words, pack).length > 0 && words.every(word => named.has(word));
  };
  const personOf = (name: string | null, owner: Owned['owner']) => {
    const known = names.of(name ?? '').toLowerCase();
    const others = [...(isGroup ? [] : [names.peer]), ...speakers.filter(person => person !== names.user)];
    // Of two with the name of the user, the other one is meant.
    const people = owner === 'contact' ? [...others, names.user] : [names.user, ...others];
    const isMeant = (person: string) => person.toLowerCase() === known || isSpelledAlike(person, name ?? '');
    const exact = people.find(person => person === name);
    return exact && (exact !== names.user || owner !== 'contact') ? exact : people.find(isMeant);
  };

  return function ownerOf({ owner, ownerName }: Owned, cited: Utterance[]): Owned {
    const person = personOf(ownerName, owner);
    if (owner === 'user' || person === names.user) return { owner: 'user', ownerName: names.user };
    if (person !== undefined) return { owner: 'contact', ownerName: person };
    if (ownerName !== null && isSaid(ownerName, cited)) return { owner, ownerName };
    return isGroup || owner === 'unknown' || ownerName !== null
      ? { owner: 'unknown', ownerName: null }
      : { owner, ownerName: names.peer };
  };
}

/** The same name in another script: "Dmitry Orlov" is Дмитрий Орлов. */
function isSpelledAlike(person: string, name: string): boolean {
  const [ours, theirs] = [person, name].map(text => text.split(/\s+/).filter(Boolean).map(romanise)) as [
    string[][],
    string[][],
  ];
  const [shorter, longer] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
  return shorter.length > 0 && shorter.every(word => longer.some(other => other.some(form => word.includes(form))));
}
