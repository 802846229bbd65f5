import { HttpFailure } from './failures.ts';

/** Maximum number of records in one batch call. */
const BATCH = 100;

export function splitBatches<T>(items: readonly T[], size = BATCH): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/**
 * Sends a batch. If the CRM refuses the whole batch, nothing was written, so its halves are sent in turn until each refused
 * item is found and passed to `onRefused`. Other errors are thrown.
 * @param isAboutAll whether a refusal applies to every item, so that halving the batch is pointless
 */
export async function sendOrHalve<T>(
  items: readonly T[],
  send: (items: readonly T[]) => Promise<void>,
  onRefused: (item: T, failure: HttpFailure) => void | Promise<void>,
  isAboutAll: (failure: HttpFailure) => boolean = () => false,
): Promise<void> {
  try {
    await send(items);
  } catch (err) {
    // Other refusals concern permissions; a smaller batch would fail the same way.
    if (!(err instanceof HttpFailure) || ![400, 404, 409].includes(err.status)) throw err;
    if (items.length === 1 || isAboutAll(err)) {
      for (const item of items) await onRefused(item, err);
      return;
    }
    const half = Math.ceil(items.length / 2);
    await sendOrHalve(items.slice(0, half), send, onRefused, isAboutAll);
    await sendOrHalve(items.slice(half), send, onRefused, isAboutAll);
  }
}
