import { z } from 'zod';
import { countField } from '../../lib/fields.ts';
import type { SyncPanel } from './present.ts';

/** What a page that follows a sync already knows about it, kept in the address that it polls. */
export type Follow = {
  job: string;
  /** Digests the sync had written when the page was loaded: they are on it. */
  seen: number;
  /** The number of digests that the page was last told of. */
  told: number;
  /** The page was told that something failed. */
  failed: boolean;
  /** There was nothing on the page that could move under the reader. */
  fromEmpty: boolean;
  /** The sync was over when the page was last updated: it only asks whether another one has begun. */
  isIdle: boolean;
};

/** An invalid part is treated as missing. */
export const followQuery = z
  .object({
    job: z.string().max(200).catch(''),
    seen: countField,
    told: countField,
    failed: z.literal('1').optional().catch(undefined),
    from: z.literal('empty').optional().catch(undefined),
    idle: z.literal('1').optional().catch(undefined),
  })
  .transform(
    ({ failed, from, idle, ...rest }): Follow => ({
      ...rest,
      failed: failed === '1',
      fromEmpty: from === 'empty',
      isIdle: idle === '1',
    }),
  );

/** For a page that shows this panel when it is loaded. */
export function beginToFollow({ jobId, newDigests, failures, state }: SyncPanel, fromEmpty = false): Follow {
  const isIdle = state !== 'running';
  return { job: jobId, seen: newDigests, told: newDigests, failed: failures > 0, fromEmpty, isIdle };
}

/** For the same page later; it knows nothing about another sync. */
export function followOn(panel: SyncPanel, before: Follow): Follow {
  const seen = before.job === panel.jobId ? before.seen : 0;
  return { ...beginToFollow(panel, before.fromEmpty), seen };
}

/** Where the page asks for the panel again. */
export function pollPath({ job, seen, told, failed, fromEmpty, isIdle }: Follow): string {
  const query = new URLSearchParams({ job, seen: String(seen), told: String(told) });
  if (failed) query.set('failed', '1');
  if (fromEmpty) query.set('from', 'empty');
  if (isIdle) query.set('idle', '1');
  return `/sync?${query}`;
}
