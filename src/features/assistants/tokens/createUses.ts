import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import * as repo from './repo.ts';
import { usesAfter } from './rules.ts';
import type { Counts } from './schema.ts';

/** One request or call. `tool`: the one that an assistant called. */
export type Use = { userId: string; tokenId: string; kind: keyof Counts; tool?: string };

export type Uses = {
  count: (use: Use) => void;
  /** Stores what was counted in this process so far. Never throws. */
  store: () => Promise<void>;
};

/** A use costs no write of its own: those of some minutes are stored together. A process that dies forgets as many. */
const STORED_AFTER_MS = 180_000;

type OfToken = { userId: string; counts: Counts; tool?: { name: string; at: Date } };

/** Counts how often each token is used, in the memory of this process. */
export function createUses({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Uses {
  let pending = new Map<string, OfToken>();
  let timer: NodeJS.Timeout | undefined;

  const uses: Uses = {
    count({ userId, tokenId, kind, tool }) {
      const of = pending.get(tokenId) ?? { userId, counts: { reads: 0, changes: 0, refused: 0 } };
      of.counts[kind] += 1;
      if (tool) of.tool = { name: tool, at: clock.now() };
      pending.set(tokenId, of);
      timer ??= setTimeout(() => void uses.store(), STORED_AFTER_MS).unref();
    },
    async store() {
      clearTimeout(timer);
      timer = undefined;
      const counted = pending;
      pending = new Map();
      const now = clock.now();
      for (const [id, { userId, counts, tool }] of counted) {
        try {
          await db.transaction(async trx => {
            const token = await repo.lockToken(trx, { userId, id });
            if (token) await repo.setUses(trx, { userId, id, uses: usesAfter(token.uses, counts, now), tool });
          });
        } catch (err) {
          log.warn({ err }, 'uses of a token not stored');
        }
      }
    },
  };
  return uses;
}
