import { toJson } from '../../../../../src/features/promises/present.ts';
import { promiseRow } from '../../../../../src/features/promises/schema.ts';

/** A row with what the API says of it, and what only the database knows. */
export const promiseWithRow = (row: Record<string, unknown>) => ({
  ...toJson(promiseRow.parse(row)),
  storedState: String(row.stored_state),
  isShown: row.is_shown === true,
  isListed: row.is_listed === true,
});
export type Row = ReturnType<typeof promiseWithRow>;

/** `taken`: the messages of closings that the person took back. */
type Between = { was: Row; is: Row; isReading: boolean; taken: ReadonlySet<unknown> | undefined };
const wasShown = ({ was }: Between) => was.isShown && was.storedState !== 'withdrawn';
/** By a rewrite of the digest that said it before; another day may say it in other words. */
const isRewritten = (between: Between) =>
  between.isReading && wasShown(between) && between.is.lastDigestId === between.was.lastDigestId;
const isClosed = ({ state }: Row) => ['done', 'cancelled', 'dismissed'].includes(state);

/** What a closing rests on. */
export const restsOn = ({ reason, evidence }: Row) => (reason === 'past' ? ['past'] : (evidence?.messageIds ?? []));

/** What no step may do to a row. */
const NEVER: Record<string, (between: Between) => boolean> = {
  'it is another item': ({ was, is }) => is.itemId !== was.itemId,
  'it was shown, and is withdrawn': between => wasShown(between) && between.is.storedState === 'withdrawn',
  'it is open and on no list': ({ is }) => is.state === 'open' && !is.isListed,
  'a reading changed that it was closed': ({ was, is, isReading }) =>
    isReading && isClosed(was) && is.state !== was.state,
  'a rewrite changed words that were shown': between => isRewritten(between) && between.is.words !== between.was.words,
  'a rewrite changed whose it was shown to be': between =>
    isRewritten(between) && between.was.direction !== 'unassigned' && between.is.direction !== between.was.direction,
  'a closing that was taken back has returned': ({ is, taken }) =>
    is.changedBy === 'automatic' && isClosed(is) && restsOn(is).some(one => taken?.has(one)),
  'what the person wrote is overwritten': ({ was, is, isReading }) =>
    isReading &&
    ((was.edited.includes('words') && is.words !== was.words) ||
      (was.edited.includes('side') && is.direction !== was.direction)),
};

export function brokenBetween(between: Omit<Between, 'is'> & { is: Row | undefined }): string[] {
  const { was, is } = between;
  if (!is) return [`a row is gone: ${JSON.stringify(was)}`];
  const found = Object.keys(NEVER).filter(name => NEVER[name]?.({ ...between, is }));
  return found.map(name => `${name}: ${JSON.stringify({ was, is })}`);
}
