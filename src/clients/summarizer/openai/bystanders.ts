import { SHORTEST_NAME } from '../authority.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import type { ActionItem } from '../types.ts';
import { wordsOf } from '../words.ts';
import type { Anchor } from './anchoring.ts';

/**
 * Of a group's messages, those of whoever owes something and of the people whom it answers: who they name, or reply to,
 * else who asks. Whoever wrote a promise's messages may decide about it later, and a model cites what it is told to.
 */
export function withoutBystanders(
  { utterances, sentence }: Anchor,
  text: string,
  { owner, ownerName }: Pick<ActionItem, 'owner' | 'ownerName'>,
  { pack, names }: Conversation,
): Anchor {
  const isOwner = ({ fromUser, speaker }: Utterance) => (owner === 'user' ? fromUser : speaker === ownerName);
  const own = utterances.filter(isOwner);
  const wordsIn = (texts: string[]) => new Set(texts.flatMap(words => wordsOf(fold(words, pack.code))));
  const said = wordsIn([text, ...own.flatMap(({ sentences }) => sentences.map(({ text }) => text))]);
  const isMeant = ({ messageId, speaker }: Utterance) =>
    own.some(({ replyTo }) => replyTo === messageId) ||
    wordsOf(fold(names.of(speaker), pack.code)).some(word => word.length >= SHORTEST_NAME && said.has(word));
  const others = utterances.filter(one => !isOwner(one));
  const saying = others.filter(one => own.length === 0 && one === sentence?.utterance);
  const answered = [others.filter(isMeant), others.filter(asks), saying].find(found => found.length > 0);
  const people = new Set(answered?.map(({ speaker }) => speaker));
  const kept = utterances.filter(one => isOwner(one) || people.has(one.speaker));
  const [first, ...rest] = kept;
  if (!first) return { utterances, sentence };
  const isKept = kept.some(one => one === sentence?.utterance);
  return { utterances: [first, ...rest], sentence: isKept ? sentence : first.sentences[0] };
}

function asks({ sentences }: Utterance): boolean {
  return sentences.some(({ isQuestion }) => isQuestion);
}
