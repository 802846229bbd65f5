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

export type BotFaults = {
  /** The next `times` requests meet it; several are met in the order they were planned. */
  next(fault: BotFault, times?: number): void;
  /** Every request meets it, once what was planned is through. */
  always(fault: BotFault): void;
  clear(): void;
};

export function createBotFaults(): BotFaults & { take(): BotFault | undefined } {
  let planned: BotFault[] = [];
  let standing: BotFault | undefined;
  return {
    next(fault, times = 1) {
      planned.push(...Array.from({ length: times }, () => fault));
    },
    always(fault) {
      standing = fault;
    },
    clear() {
      planned = [];
      standing = undefined;
    },
    take: () => planned.shift() ?? standing,
  };
}
