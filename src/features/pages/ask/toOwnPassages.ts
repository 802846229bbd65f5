import { readPersonName } from '../../../lib/names/personName.ts';
import type { OwnPassage } from '../../messenger/consent/service.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import { isLive } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import type { Passage } from './passagesOf.ts';

/** Passages as a model may be given them, numbered as the page numbers them. */
export function toOwnPassages(passages: readonly Passage[]): OwnPassage[] {
  return passages.map(({ lines, day, dialogId, digest, promise }, index) => ({
    ...{ n: index + 1, lines, day, dialogId, peer: peerOf({ digest, promise }) },
    quotedAt: promise ? promise.quotedAt : quotedAtOf(digest),
    ...(promise && { promise: toOwnPromise(promise) }),
  }));
}

/** Before any consent, where it isn't known. */
export function quotedAtOf(digest: { quotedAt?: Date | null | undefined } | undefined): Date | null {
  return digest?.quotedAt === undefined ? new Date(0) : digest.quotedAt;
}

/** As a model may be given it. */
export function toOwnPromise(promise: SourcedPromise): NonNullable<OwnPassage['promise']> {
  const { direction, who, state, dueDate, dueTime } = promise;
  const by =
    direction === 'mine' ? 'you' : who || (direction === 'theirs' ? shortName(promise) : 'no one in particular');
  return {
    by,
    state: isLive(promise) ? 'open' : state === 'done' ? 'kept' : 'not kept',
    dueDate,
    dueTime: dueTime ?? null,
  };
}

function peerOf({ digest, promise }: Pick<Passage, 'digest' | 'promise'>): string {
  if (promise) return shortName(promise);
  if (!digest) return '';
  return digest.dialog.peerType === 'user' ? shortOf(nameOf(digest.dialog)) : nameOf(digest.dialog);
}

function shortName(promise: SourcedPromise): string {
  const name = nameOf(promise);
  return promise.peerKind === 'user' ? shortOf(name) : name;
}

/** First names only, as digests are written from. */
export const shortOf = (name: string) => readPersonName(name).short || name;
