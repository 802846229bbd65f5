import { z } from 'zod';
import type { SyncPanel } from './present.ts';

/** What a page that follows a sync knows of it already, kept in the address it asks again. */
export type Follow = {
  job: string;
  /** Digests the sync had written when the page was loaded: they are on it. */
  seen: number;
  /** Digests the page was told of last. */
  told: number;
  /** It was said that something failed. */
  failed: boolean;
  /** Nothing was on the page that could move under the reader. */
  fromEmpty: boolean;
  /** The sync was over when the page was told last: it only asks whether another one has begun. */
  isIdle: boolean;
};

const count = z.coerce.number().int().min(0).catch(0);

/** A wrong part is taken for one that is missing. */
export const followQuery = z
  .object({
    job: z.string().max(200).catch(''),
    seen: count,
    told: count,
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

/** Of a page that shows this panel as it is loaded. */
export function beginToFollow({ jobId, newDigests, failures, state }: SyncPanel, fromEmpty = false): Follow {
  const isIdle = state !== 'running';
  return { job: jobId, seen: newDigests, told: newDigests, failed: failures > 0, fromEmpty, isIdle };
}

/** The same page later; of another sync it knows nothing. */
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
