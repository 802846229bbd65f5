import type { PeerType } from '../../clients/messenger/types.ts';
import type { AiService, EndReason, NewChoice, OfferedWriter, WriterChoice } from './schema.ts';

type Chosen = Pick<WriterChoice, 'writer' | 'model' | 'host'>;

/** The API asks for no choice; its description says so. */
export const OPERATOR_DECIDES: NewChoice = {
  writer: 'operator',
  model: null,
  host: null,
  wording: 'Connected through the API: the server’s operator decides who writes the digests.',
};

type About = {
  peerType: PeerType;
  /** The choices that hold for its account and for itself; null where there is none. */
  ofAccount: Chosen | null;
  ofDialog: Chosen | null;
};

/**
 * Who writes the digests of a conversation. Telegram's terms (content licensing) want consent "strictly limited to the
 * specific content and chat": the conversation's own choice comes first, a group has only that one, and consent to one
 * model at one host says nothing about another. Without an answer it is the built-in summarizer.
 */
export function writerOf({ peerType, ofAccount, ofDialog }: About, service: AiService | undefined): OfferedWriter {
  if (!service) return 'built-in';
  if (ofDialog && isInEffect(ofDialog, service)) return ofDialog.writer === 'model' ? 'model' : 'built-in';
  if (peerType !== 'user' || !ofAccount || !isInEffect(ofAccount, service)) return 'built-in';
  return ofAccount.writer === 'built-in' ? 'built-in' : 'model';
}

/** The account's person has not said yet whether this model may write. Who chose the built-in summarizer has. */
export function isUnanswered(ofAccount: Chosen | undefined, service: AiService | undefined): boolean {
  if (!service) return false;
  return !ofAccount || !isInEffect(ofAccount, service);
}

/** Choosing the same again changes nothing: its time stays that of the first answer. */
export function isSameChoice(held: WriterChoice | undefined, chosen: NewChoice): boolean {
  if (!held) return false;
  return (['writer', 'model', 'host', 'wording'] as const).every(field => held[field] === chosen[field]);
}

export function endReasonOf(held: Chosen, chosen: NewChoice): EndReason {
  return held.writer === 'model' && chosen.writer === 'built-in' ? 'taken back' : 'replaced';
}

/** Consent is to one model at one host; the other choices depend on neither. */
export function isInEffect({ writer, model, host }: Chosen, service: AiService): boolean {
  return writer !== 'model' || (model === service.model && host === service.host);
}
