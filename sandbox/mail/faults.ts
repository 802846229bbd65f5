import { createFaultPlan, type FaultPlan } from '../faultPlan.ts';

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

/** @param onDown is called when the server is to be gone: whoever is connected must be thrown out. */
export function createMailFaults(onDown: () => void): FaultPlan<MailFault> {
  const plan = createFaultPlan<MailFault>();
  return {
    ...plan,
    always(fault) {
      plan.always(fault);
      if (fault.isDown) onDown();
    },
  };
}
