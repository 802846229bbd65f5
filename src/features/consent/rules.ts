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
  /** The choices that hold for the account and the conversation; null where there is none. */
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

/** Whether the account's owner has yet to decide on this model. Choosing the built-in summarizer is a decision. */
export function isUnanswered(ofAccount: Chosen | undefined, service: AiService | undefined): boolean {
  if (!service) return false;
  return !ofAccount || !isInEffect(ofAccount, service);
}

/** Choosing the same again changes nothing: the time of the first answer stays. */
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
