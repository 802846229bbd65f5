import { type CallRates, MAX_GAP_MS, type MessengerAccount, type PacedKind, type SealedAccount } from './schema.ts';

/** Whether the messenger still wants no calls for this account. */
export function isFlooded({ floodUntil }: Pick<MessengerAccount, 'floodUntil'>, now: Date): boolean {
  return floodUntil !== null && floodUntil > now;
}

/** When the last of these accounts that the messenger makes wait may be read again; undefined if none waits. */
export function findFloodEnd(accounts: readonly MessengerAccount[], now: Date): Date | undefined {
  const waiting = accounts.filter(account => account.status === 'active' && isFlooded(account, now));
  const last = Math.max(0, ...waiting.map(({ floodUntil }) => floodUntil?.getTime() ?? 0));
  return last > 0 ? new Date(last) : undefined;
}

/** Whether a sync that starts now could read this account. */
export function canBeRead(account: Pick<MessengerAccount, 'status' | 'floodUntil'>, now: Date): boolean {
  return account.status === 'active' && !isFlooded(account, now);
}

/** The accounts that count towards the plan. */
export function filterActive(accounts: MessengerAccount[]): MessengerAccount[] {
  return accounts.filter(({ status }) => status === 'active');
}

/** Whether the plan allows this phone's account, which may be connected already. @param phone E.164, if it is known */
export function hasRoomFor(phone: string | undefined, accounts: MessengerAccount[], included: number): boolean {
  return filterActive(accounts).filter(account => account.phone !== phone).length < included;
}

/** Share of the previously accepted call rate to use after a flood wait. */
const SAFE_SHARE = 0.8;
/** A flood after fewer calls says nothing about the accepted rate: something else caused it. */
const MIN_CALLS: Record<PacedKind, number> = { dialogs: 2, history: 5 };
/** A rate learned earlier becomes slower by at least `least` and at most `most`. */
const SLOWER = { least: 1.5, most: 3 };
const MIN_GAP_MS = 20;
/** After this many days without a flood, the pause between calls is halved. */
const HALF_LIFE_DAYS = 7;
const FORGOTTEN_DAYS = 30;

/** Current milliseconds between calls, 0 for none: the effect of a flood decays. */
export function currentGap(rate: CallRates[PacedKind], now: Date): number {
  if (!rate) return 0;
  const days = Math.max(0, now.getTime() - Date.parse(rate.learnedAt)) / (24 * 3600 * 1000);
  return days > FORGOTTEN_DAYS ? 0 : rate.everyMs * 0.5 ** (days / HALF_LIFE_DAYS);
}

type Flood = { gapMs: number; answered: number; elapsedMs: number; waitMs: number };

/**
 * Milliseconds between two calls after a flood wait. The messenger answered `answered` calls in `elapsedMs` and asks
 * for `waitMs` on top: its rate is that many calls over both times together. 0 if there is nothing to learn.
 */
export function gapAfterFlood(kind: PacedKind, { gapMs, answered, elapsedMs, waitMs }: Flood): number {
  const slower = gapMs * SLOWER.least;
  if (answered < MIN_CALLS[kind]) return Math.min(slower, MAX_GAP_MS);
  const measuredGap = Math.max(slower, MIN_GAP_MS, (elapsedMs + waitMs) / (answered * SAFE_SHARE));
  return Math.min(measuredGap, MAX_GAP_MS, gapMs > 0 ? gapMs * SLOWER.most : MAX_GAP_MS);
}

/** All conversations are listed once a day. Less than 24 hours, so that a sync at the same time each day lists them. */
const WHOLE_LIST_HOURS = 20;
/** The messenger's clocks may differ by this much, and a message may be under way for this long. */
const SLACK_MS = 5 * 60_000;

/** Conversations with messages since then are to be listed, by the messenger's clock; undefined if all are due. */
export function listedSince(
  { allDialogsListedAt, dialogsKnownUntil }: Pick<SealedAccount, 'allDialogsListedAt' | 'dialogsKnownUntil'>,
  now: Date,
): Date | undefined {
  if (!allDialogsListedAt || !dialogsKnownUntil) return undefined;
  const isDue = now.getTime() - allDialogsListedAt.getTime() > WHOLE_LIST_HOURS * 3600 * 1000;
  return isDue ? undefined : new Date(dialogsKnownUntil.getTime() - SLACK_MS);
}

/** Longest wait of a page for its turn to call. */
const MAX_PAGE_WAIT_MS = 2000;

/** Whether the list may be requested while someone waits for a page; otherwise only syncs request it. */
export function isListedForPages({ callRates }: Pick<SealedAccount, 'callRates'>, now: Date): boolean {
  return currentGap(callRates.dialogs, now) <= MAX_PAGE_WAIT_MS;
}
