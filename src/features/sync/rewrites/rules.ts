import type { WrittenRow } from './repo.ts';

type Judged = Pick<WrittenRow, 'isCovered' | 'summary' | 'writing'>;

/** Why this digest can't be written again; undefined when it can. */
export function refusalOf({ isCovered, summary, writing }: Judged): string | undefined {
  if (isCovered) return 'A later digest has these messages. Rewrite that one instead.';
  if (summary === '') return 'There is no digest of this day yet.';
  if (writing === 'FAILED') return 'The last attempt failed. The next sync will pick this digest up.';
  return writing === 'COMPLETE' ? undefined : 'A sync is rewriting this digest. Try again when it is done.';
}
