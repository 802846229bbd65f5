/** Seconds a client's clock may be behind and ahead (https://core.telegram.org/mtproto/description#message-identifier-msg-id). */
const BEHIND = 300n;
const AHEAD = 30n;

let last = 0n;

/** A server's message id: Unix time times 2^32, rising; answers end in 01 (binary), everything else in 11. */
export function nextMessageId(kind: 'answer' | 'notice'): bigint {
  const now = ((BigInt(Date.now()) << 32n) / 1000n) & ~3n;
  last = now > last ? now : last + 4n;
  return last | (kind === 'answer' ? 1n : 3n);
}

/** Why a client's message id is refused (a code of bad_msg_notification), or null. */
export function faultOfMessageId(id: bigint): number | null {
  if (id % 4n !== 0n) return 18;
  const seconds = id >> 32n;
  const now = BigInt(Math.floor(Date.now() / 1000));
  if (seconds < now - BEHIND) return 16;
  return seconds > now + AHEAD ? 17 : null;
}
