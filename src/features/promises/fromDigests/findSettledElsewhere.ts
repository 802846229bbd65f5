import { readPersonName } from '../../../lib/names/personName.ts';
import { romanise } from '../../../lib/names/romanise.ts';
import { foreignMessageId } from '../rules.ts';
import type { Closing, DigestOfPerson, PromiseToPerson } from './schema.ts';

/** Minimum number of letters of a name, as shorter words seldom are one. */
const MIN_NAME_LENGTH = 3;
/** A word that begins with a capital, or is of a script without capitals. */
const NAME = /(?<![\p{L}\p{M}'’])[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}]+/gu;

/**
 * Promises of the user that name the person of another private chat, where later messages name whoever they were made to:
 * "I'll introduce you to Dr von Thurn" may be kept in Dr von Thurn's chat. The user is asked about them; nothing of the
 * other chat is repeated, which may be deleted apart from this one.
 */
export function findSettledElsewhere(promises: readonly PromiseToPerson[], digests: readonly DigestOfPerson[]): Closing[] {
  const byName = new Map<string, DigestOfPerson[]>();
  for (const digest of digests)
    for (const name of nameKeys(digest.peerName)) byName.set(name, [...(byName.get(name) ?? []), digest]);
  return promises.flatMap(promise => {
    const { promiseId, dialogId, peerName, words, saidAt, userName } = promise;
    const [ofPeer, ofUser] = [nameKeys(peerName), nameKeys(userName)];
    const named = wordKeys(words).difference(ofPeer).difference(ofUser);
    const others = new Set([...named].flatMap(name => byName.get(name) ?? []).filter(other => other.dialogId !== dialogId));
    const mentions = [...others].flatMap(other => {
      const mention = findMention(other, ofPeer.difference(nameKeys(other.peerName)).difference(ofUser));
      if (!mention || mention.sentAt <= saidAt) return [];
      const messageIds = [foreignMessageId(other.dialogId, mention.id)];
      return [{ who: `Chat with ${shortName(other)}`, when: mention.sentAt, words: `names ${peerName}`, messageIds }];
    });
    const [evidence] = mentions.toSorted((a, b) => b.when.localeCompare(a.when));
    return evidence ? [{ promiseId, dialogId, state: 'doubtful', evidence }] : [];
  });
}

const shortName = ({ peerName }: DigestOfPerson) => readPersonName(peerName).short || peerName;

/** The newest message that a sentence with one of these names rests on. */
function findMention({ summary, sources }: DigestOfPerson, names: ReadonlySet<string>) {
  const naming = sources.sentences.filter(({ from, to }) => !wordKeys(summary.slice(from, to)).isDisjointFrom(names));
  const ids = new Set(naming.flatMap(({ messageIds }) => messageIds));
  return sources.messages.findLast(({ id }) => ids.has(id));
}

/** The words of a person's name in small Latin letters, in all ways to write them so; none of a company's. */
function nameKeys(name: string): ReadonlySet<string> {
  const { given, family } = readPersonName(name);
  return wordKeys(`${given} ${family}`.replaceAll('-', ' '));
}

/** The words of a text that may be names, in small Latin letters, in all ways to write them so. */
function wordKeys(text: string): ReadonlySet<string> {
  const words = (text.match(NAME) ?? []).filter(word => word.length >= MIN_NAME_LENGTH);
  return new Set(words.flatMap(romanise));
}
