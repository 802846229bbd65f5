import { actionItemIds } from '../actionItemId.ts';
import type { Conversation } from '../conversation.ts';
import type { ActionItem } from '../types.ts';
import { type Commitment, isOfferAsked } from './commitments.ts';

/** Counts settled commitments, too: the second commitment of a sentence stays the second one when the first is done. */
export function idsOf(commitments: Commitment[]): Map<Commitment, string> {
  const idOf = actionItemIds();
  return new Map(
    commitments.flatMap(commitment => {
      const sentence = commitment.readings[0]?.sentence;
      return sentence ? [[commitment, idOf(sentence.utterance.messageId, sentence.words)]] : [];
    }),
  );
}

export function ownerOf(
  commitment: Commitment,
  { names, isGroup }: Conversation,
): Pick<ActionItem, 'owner' | 'ownerName'> {
  const { kind, doer, isAccepted, asker } = commitment;
  // Between two people, an offer is for the other one to answer.
  if (isOfferAsked(commitment) && !isGroup)
    return asker.isUser ? { owner: 'contact', ownerName: names.peer } : { owner: 'user', ownerName: names.user };
  // What both agreed to do together is on the user's list.
  if (kind === 'proposal' && isAccepted) return { owner: 'user', ownerName: names.user };
  if (!doer) return { owner: 'unknown', ownerName: null };
  // A colleague of either side owes nothing to the other one.
  if (!isGroup && !doer.isUser && doer.name !== names.peer && doer.name !== names.of(names.peer))
    return { owner: 'unknown', ownerName: doer.name };
  return { owner: doer.isUser ? 'user' : 'contact', ownerName: doer.name };
}
