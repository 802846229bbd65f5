import { z } from 'zod';
import type { SyncPanel } from './presentSync.ts';

/** What a page that follows a sync knows of it already, kept in the address it asks again. */
export type Follow = {
  job: string;
  /** Digests the sync had written when the page was loaded: they stand on it. */
  seen: number;
  /** Digests the page was told of last. */
  told: number;
  /** It was said that something failed. */
  failed: boolean;
  /** Nothing stood on the page that could move under the reader. */
  fromEmpty: boolean;
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
  })
  .transform(({ failed, from, ...rest }): Follow => ({ ...rest, failed: failed === '1', fromEmpty: from === 'empty' }));

/** Of a page that shows this panel as it is loaded. */
export function beginToFollow({ jobId, newDigests, failures }: SyncPanel, fromEmpty = false): Follow {
  return { job: jobId, seen: newDigests, told: newDigests, failed: failures > 0, fromEmpty };
}

/** The same page later; of another sync it knows nothing. */
export function followOn({ jobId, newDigests, failures }: SyncPanel, before: Follow): Follow {
  const seen = before.job === jobId ? before.seen : 0;
  return { job: jobId, seen, told: newDigests, failed: failures > 0, fromEmpty: before.fromEmpty };
}

/** Where the page asks for the panel again. */
export function pollPath({ job, seen, told, failed, fromEmpty }: Follow): string {
  const query = new URLSearchParams({ job, seen: String(seen), told: String(told) });
  if (failed) query.set('failed', '1');
  if (fromEmpty) query.set('from', 'empty');
  return `/sync?${query}`;
}
