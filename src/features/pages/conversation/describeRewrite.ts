import { findFailure } from '../../../lib/failures.ts';
import { styleName } from '../../base/settings/present.ts';
import { MESSAGES_GONE, REWRITE_LOST, type Rewrite, WRITTEN_MEANWHILE } from '../../sync/rewrites/schema.ts';

/** The state of a digest's rewrite. While it is under way, the row polls. */
export type RewriteView = { isOpen: boolean; words: string };

/** Reasons that only a rewrite can fail for. */
const REASONS: Record<string, string> = {
  [MESSAGES_GONE]: 'Its messages are no longer in Telegram.',
  [WRITTEN_MEANWHILE]: 'A sync has read newer messages since.',
  [REWRITE_LOST]: 'The rewrite was interrupted.',
};

export function describeRewrite({ state, style, reason }: Rewrite, { syncRuns }: { syncRuns: boolean }): RewriteView {
  const name = styleName(style);
  if (state === 'failed') {
    const why = REASONS[reason ?? ''] ?? findFailure(reason)?.sentence ?? 'Something went wrong on our side.';
    return { isOpen: false, words: `Not rewritten as ${name}. ${why} The digest stays as it was.` };
  }
  if (state === 'written') return { isOpen: true, words: `Rewritten as ${name}; its note follows.` };
  const words =
    state === 'waiting' && syncRuns
      ? `Will be rewritten as ${name} once the sync is done.`
      : `Rewriting as ${name}. This version stays until then.`;
  return { isOpen: true, words };
}
