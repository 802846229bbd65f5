/** What a conversation meets instead of going well, or on its way. */
export type MailFault = {
  /** Nobody answers at all: connections break at once. */
  isDown?: boolean;
  /** Every answer to a mail comes that much later. */
  delayMs?: number;
  /** The answer to the mail as a whole, for example 451 or 554; it is not taken then. */
  status?: number;
  /** The same to its address. */
  addressStatus?: number;
  /** The mail is taken, and the connection breaks before that is said. */
  losesAnswer?: boolean;
};

export type MailFaults = {
  /** The next `times` mails meet it; several are met in the order they were planned. */
  next(fault: MailFault, times?: number): void;
  /** Every mail meets it, once what was planned is through. */
  always(fault: MailFault): void;
  clear(): void;
};

export type MailFaultPlan = MailFaults & {
  /** For the mail that begins now. */
  take(): MailFault | undefined;
  isDown(): boolean;
};

/** @param onDown is called when the server is to be gone: whoever is connected must be thrown out. */
export function createMailFaults(onDown: () => void): MailFaultPlan {
  let planned: MailFault[] = [];
  let standing: MailFault | undefined;
  return {
    next(fault, times = 1) {
      planned.push(...Array.from({ length: times }, () => fault));
    },
    always(fault) {
      standing = fault;
      if (fault.isDown) onDown();
    },
    clear() {
      planned = [];
      standing = undefined;
    },
    take: () => planned.shift() ?? standing,
    isDown: () => standing?.isDown ?? false,
  };
}
