import type { Conversation } from './conversation.ts';
import { DEAL_SIGNALS } from './languages/types.ts';

/** What the day says about a deal, in the fixed words of {@link DEAL_SIGNALS}. */
export function findDealSignals({ utterances }: Conversation): string[] {
  return DEAL_SIGNALS.filter(signal =>
    utterances.some(({ pack, sentences }) => sentences.some(({ folded }) => pack.dealSignals[signal].test(folded))),
  );
}
