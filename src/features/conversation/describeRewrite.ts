import { CRASHED, SUMMARY_TIMEOUT, UNREADABLE } from '../digests/schema.ts';
import { MESSAGES_GONE, REWRITE_LOST, type Rewrite, WRITTEN_MEANWHILE } from '../rewrites/schema.ts';
import { styleName } from '../settings/present.ts';

/** What becomes of a digest that is to be written again. While it is under way the row asks again by itself. */
export type RewriteView = { isOpen: boolean; words: string };

const REASONS: Record<string, string> = {
  [MESSAGES_GONE]: 'Its messages are no longer in Telegram.',
  [WRITTEN_MEANWHILE]: 'A sync has read newer messages since.',
  [REWRITE_LOST]: 'The rewrite was interrupted.',
  [CRASHED]: 'It failed three times.',
  [SUMMARY_TIMEOUT]: 'The summary service did not answer in time.',
  [UNREADABLE]: 'The conversation contains something that can’t be read here yet.',
  AI_UNAVAILABLE: 'The summary service did not answer.',
  AI_BAD_OUTPUT: 'The summary service’s response couldn’t be used.',
  SESSION_EXPIRED: 'Telegram has signed Forenoon out; connect again first.',
  MESSENGER_NOT_CONNECTED: 'Telegram is disconnected; connect again first.',
  MESSENGER_UNAVAILABLE: 'We couldn’t get the messages from Telegram.',
  FLOOD_WAIT: 'Telegram asks us to wait.',
  TIMEOUT: 'Telegram did not answer in time.',
};

export function describeRewrite({ state, style, reason }: Rewrite, { syncRuns }: { syncRuns: boolean }): RewriteView {
  const name = styleName(style);
  if (state === 'failed') {
    const why = REASONS[reason ?? ''] ?? 'Something went wrong on our side.';
    return { isOpen: false, words: `Not rewritten as ${name}. ${why} The digest stays as it was.` };
  }
  if (state === 'written') return { isOpen: true, words: `Rewritten as ${name}; its note follows.` };
  const words =
    state === 'waiting' && syncRuns
      ? `Will be rewritten as ${name} once the sync is done.`
      : `Rewriting as ${name}. This stays until then.`;
  return { isOpen: true, words };
}
