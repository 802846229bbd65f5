/** What a request meets instead of being taken, or before it. */
export type BotFault = {
  /** 429, 500 or another refusal; without it the message is taken. */
  status?: number;
  /** With 429. */
  retryAfterSeconds?: number;
  /** The answer comes that much later. */
  delayMs?: number;
  /** Never answered, and not taken. */
  isSilent?: boolean;
};
