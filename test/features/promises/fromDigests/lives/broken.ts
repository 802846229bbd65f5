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
export type Hand = Partial<Pick<Row, 'words' | 'dueDate' | 'direction' | 'kind'>>;

type Between = { was: Row; is: Row; isReading: boolean };
const wasShown = ({ was }: Between) => was.isShown && was.storedState !== 'withdrawn';
/** By a rewrite of the digest that said it before; another day may say it in other words. */
const isRewritten = (between: Between) =>
  between.isReading && wasShown(between) && between.is.lastDigestId === between.was.lastDigestId;
const CLOSED = ['done', 'cancelled', 'dismissed'];

/** What no step may do to a row. */
const NEVER_BETWEEN: Record<string, (between: Between) => boolean> = {
  'it is another item': ({ was, is }) => is.itemId !== was.itemId,
  'it was shown, and is withdrawn': between => wasShown(between) && between.is.storedState === 'withdrawn',
  'a reading changed that it was closed': ({ was, is, isReading }) =>
    isReading && CLOSED.includes(was.state) && is.state !== was.state,
  'a rewrite changed words that were shown': between => isRewritten(between) && between.is.words !== between.was.words,
  'a rewrite changed whose it was shown to be': between =>
    isRewritten(between) && between.was.direction !== 'unassigned' && between.is.direction !== between.was.direction,
};

export function brokenBetween({ was, is, isReading }: { was: Row; is: Row | undefined; isReading: boolean }): string[] {
  if (!is) return [`a row is gone: ${JSON.stringify(was)}`];
  const found = Object.keys(NEVER_BETWEEN).filter(name => NEVER_BETWEEN[name]?.({ was, is, isReading }));
  return found.map(name => `${name}: ${JSON.stringify({ was, is })}`);
}

/** `taken`: the messages of closings that the person took back. `isRedone`: their own undo closed it again. */
type Standing = { row: Row; taken: ReadonlySet<unknown>; isRedone: boolean; hand: Hand; today: string };
const hasReason = ({ row }: Standing) => row.state === 'done' || row.state === 'cancelled';
const isAutomatic = (standing: Standing) => hasReason(standing) && standing.row.changedBy === 'automatic';
const restsOn = ({ reason, evidence }: Row) => (reason === 'past' ? ['past'] : (evidence?.messageIds ?? []));

/** What no row may be. */
const NEVER: Record<string, (standing: Standing) => boolean> = {
  'it is closed without a reason': standing => hasReason(standing) && standing.row.reason === null,
  'its automatic closing has no undo': standing => isAutomatic(standing) && !standing.row.canUndo && !standing.isRedone,
  'a closing that was taken back has returned': standing =>
    isAutomatic(standing) && restsOn(standing.row).some(one => standing.taken.has(one)),
  'it is replaced by nothing': ({ row }) => row.reason === 'replaced' && row.replacedBy === null,
  'it is past before its day': ({ row, today }) => row.reason === 'past' && (row.dueDate ?? today) >= today,
  'what the person wrote is overwritten': ({ row, hand }) =>
    Object.entries(hand).some(([field, value]) => row[field as keyof Hand] !== value),
};

export function brokenIn(standing: Standing): string[] {
  const found = Object.keys(NEVER).filter(name => NEVER[name]?.(standing));
  return found.map(name => `${name}: ${JSON.stringify(standing.row)}`);
}
