import type { PeerType } from '../../../clients/messenger/types.ts';
import type { AiService, EndReason, NewChoice, OfferedWriter, WriterChoice } from './schema.ts';

type ChoiceTerms = Pick<WriterChoice, 'writer' | 'model' | 'host' | 'terms'>;

/** Version of the consent text. Raise it when more data is sent to the model. */
export const TERMS_VERSION = 4;
/** The version of the consent text that introduced each use. An older consent stays valid for older uses only. */
const NEEDED_TERMS = { digests: 2, answers: 3, comparison: 4 } as const;
/** Uses of a model: writing digests, sentences over passages of an answer or a brief, and comparing the day's digests. */
export type Use = keyof typeof NEEDED_TERMS;

/** The API asks for no choice; its description says so. */
export const OPERATOR_DECIDES: NewChoice = {
  writer: 'operator',
  model: null,
  host: null,
  wording: 'Connected through the API: the server’s operator decides who writes the digests.',
};

type ConsentContext<Choice extends ChoiceTerms = ChoiceTerms> = {
  peerType: PeerType;
  /** The choices that hold for the account and the conversation; null where there is none. */
  ofAccount: Choice | null;
  ofDialog: Choice | null;
};

/**
 * Writer of a conversation's digests. Telegram's terms (content licensing) require consent "strictly limited to the specific
 * content and chat": the conversation's own choice comes first, a group has no other, and consent covers one model at one
 * host. Without an answer, the built-in summarizer writes.
 */
export function chooseWriter(about: ConsentContext, service: AiService | undefined): OfferedWriter {
  return findConsentChoice(about, service) ? 'model' : 'built-in';
}

/** The choice by which the model writes; undefined where the built-in summarizer does. */
export function findConsentChoice<Choice extends ChoiceTerms>(
  { peerType, ofAccount, ofDialog }: ConsentContext<Choice>,
  service: AiService | undefined,
): Choice | undefined {
  if (!service) return undefined;
  const answers = peerType === 'user' ? [ofDialog, ofAccount] : [ofDialog];
  const deciding = answers.find(choice => choice && isInEffect(choice, service));
  return deciding && deciding.writer !== 'built-in' ? deciding : undefined;
}

/** Whether a quote may go to the model: not if it was written before the user agreed to the model. */
export function mayBeSent({ quotedAt }: { quotedAt?: Date | null | undefined }, { chosenAt }: { chosenAt: Date }) {
  return !quotedAt || quotedAt >= chosenAt;
}

/** Whether the account's owner has yet to decide on this model. Choosing the built-in summarizer is a decision. */
export function needsDecision(ofAccount: ChoiceTerms | undefined, service: AiService | undefined): boolean {
  if (!service) return false;
  return !ofAccount || !isInEffect(ofAccount, service);
}

/** Whether this repeats the current choice, which then stays as it is. A consent to older terms is renewed. */
export function isSameChoice(current: WriterChoice | undefined, chosen: NewChoice): boolean {
  if (!current || (current.writer === 'model' && current.terms < TERMS_VERSION)) return false;
  return (['writer', 'model', 'host', 'wording'] as const).every(field => current[field] === chosen[field]);
}

export function chooseEndReason(current: Pick<ChoiceTerms, 'writer'>, chosen: NewChoice): EndReason {
  return current.writer === 'model' && chosen.writer === 'built-in' ? 'taken back' : 'replaced';
}

/** Whether a choice still holds: consent to a model covers one model, at one host, for the uses its terms named. */
export function isInEffect({ writer, model, host, terms }: ChoiceTerms, service: AiService, use: Use = 'digests'): boolean {
  return writer !== 'model' || (model === service.model && host === service.host && terms >= NEEDED_TERMS[use]);
}

/** The choice that allows this use of a conversation's passages: only a person's own. The operator's is for digests. */
export function findPassageConsent<Choice extends ChoiceTerms>(
  about: ConsentContext<Choice>,
  service: AiService | undefined,
  use: Exclude<Use, 'digests'>,
) {
  const consent = findConsentChoice(about, service);
  return service && consent?.writer === 'model' && isInEffect(consent, service, use) ? consent : undefined;
}
