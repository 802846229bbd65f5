import { createFaultPlan, type Fault, type FaultPlan, type Faults } from '../faultPlan.ts';
import { createFloods, type FloodLimits, type Floods } from './floods.ts';

/** Kinds are the protocol's names of methods: `messages.GetHistory`. */
type MessengerFault = Pick<Fault, 'status' | 'delayMs' | 'isSilent'> & {
  /** With a status: the name of the error. */
  message?: string;
  /** Every list in the answer begins with something of a kind no client knows. */
  isGarbled?: boolean;
};

/** Faults that don't concern a single call. Those with a switch last until it is off, or until all are cleared. */
type Switches = {
  /** Auth keys are unknown to the server (transport error -404). */
  refuseKeys(on: boolean): void;
  /** Connections are accepted, and nothing is ever answered. */
  silence(on: boolean): void;
  /** A signed-in key seen on two connections at once is dead for good: AUTH_KEY_DUPLICATED, as on the real server. */
  endSharedKeys(on: boolean): void;
};

type FloodSwitch = {
  /** An account that asks for more than these limits is told to wait, each separately. Undefined ends it. */
  flood(limits: FloodLimits | undefined): void;
  /** Since then: how often an account had to wait, and the number of calls refused because of it. */
  floods(): { waits: number; refused: number };
};

/** The faults that a test can plan. Clearing leaves what was already revoked, moved or expired. */
export type MessengerFaults = Faults<MessengerFault> &
  Switches &
  FloodSwitch & {
    /** Every open connection breaks at once. */
    dropConnections(): void;
    /** The account's sessions are ended from elsewhere: SESSION_REVOKED until they sign in again. */
    revokeSessions(phone: string): void;
    /**
     * The account lives in another data centre from now on, until the next start: USER_MIGRATE_n for whoever asks here.
     */
    moveAccount(phone: string, dc: number): void;
    /** The account is closed: USER_DEACTIVATED, and no code is sent to it. */
    deactivate(phone: string): void;
    /** Codes sent to this phone and not yet used are too old. */
    expireCodes(phone: string): void;
    /** Codes that are shown to be scanned are too old. */
    expireLoginTokens(): void;
  };

export type MessengerFaultPlan = FaultPlan<MessengerFault> &
  Switches &
  FloodSwitch & {
    meter: Pick<Floods, 'waitFor' | 'note'>;
    keysRefused(): boolean;
    silent(): boolean;
    sharedKeysEnd(): boolean;
    /** Phones of closed accounts, digits only. */
    deactivated: Set<string>;
  };

export function createMessengerFaults(baseDelayMs: number): MessengerFaultPlan {
  const plan = createFaultPlan<MessengerFault>(baseDelayMs);
  const deactivated = new Set<string>();
  const on = new Set<keyof Switches>();
  const floods = createFloods();
  const turn = (name: keyof Switches) => (isOn: boolean) => void (isOn ? on.add(name) : on.delete(name));
  return {
    ...plan,
    deactivated,
    meter: floods,
    flood: limits => floods.limit(limits),
    floods: () => floods.counts(),
    refuseKeys: turn('refuseKeys'),
    silence: turn('silence'),
    endSharedKeys: turn('endSharedKeys'),
    keysRefused: () => on.has('refuseKeys'),
    silent: () => on.has('silence'),
    sharedKeysEnd: () => on.has('endSharedKeys'),
    clear() {
      plan.clear();
      deactivated.clear();
      on.clear();
      floods.limit(undefined);
    },
  };
}
