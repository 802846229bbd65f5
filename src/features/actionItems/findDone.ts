import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { isolateName } from '../../lib/writing.ts';
import { nameOf } from '../digests/describeAction.ts';
import { type FoundItem, findItem } from './service.ts';

/** The item that was checked off, for the line with Undo. */
export type Done = {
  words: string;
  /** Where it is undone. */
  undo: string;
};

/** The value of `?done=` in the address after checking off without JavaScript. */
export function doneToken({ digest, item }: FoundItem): string {
  return `${digest.id}.${item.id}`;
}

export function presentDone({ digest, item }: FoundItem): Done {
  return {
    words: `Done: ${isolateName(item.text, nameOf(digest))}`,
    undo: `/digests/${digest.id}/actions/${item.id}/undone`,
  };
}

/** Undefined once it is undone, and for a token that is none of this person's. */
export async function findDone(
  deps: { db: Db },
  { userId, token }: { userId: string; token: string | undefined },
): Promise<Done | undefined> {
  if (!token) return undefined;
  const [digestId = '', itemId = ''] = token.split('.');
  try {
    const found = await findItem(deps, { userId, digestId, itemId });
    return found.digest.ticked.has(itemId) ? presentDone(found) : undefined;
  } catch (err) {
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}
