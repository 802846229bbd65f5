import { ClientError } from '../../../clients/errors.ts';

/** How often one sync of an account reconnects because of such answers; each time it lists its conversations again. */
const MOST_NEW_CONNECTIONS = 10;

/**
 * The search for conversations whose answers the messenger library cannot read. Such an answer breaks the connection
 * for everything that is being read on it. All of that is suspect and read one at a time on the next connection, so
 * that the conversation that breaks it again is found.
 */
export type UnreadableSearch = {
  suspect(dialogId: string): void;
  isSuspect(dialogId: string): boolean;
  /** A conversation was found and put aside. */
  found(): void;
  /** Whether another connection may help: this one taught us something, and there were not too many. */
  mayGoOn(): boolean;
};

export function createUnreadableSearch(): UnreadableSearch {
  const suspects = new Set<string>();
  let found = 0;
  let known = 0;
  let connections = 0;
  return {
    suspect: dialogId => void suspects.add(dialogId),
    isSuspect: dialogId => suspects.has(dialogId),
    found: () => void found++,
    mayGoOn() {
      const learned = suspects.size + found;
      const isNew = learned > known;
      known = learned;
      return isNew && connections++ < MOST_NEW_CONNECTIONS;
    },
  };
}

/** The library cannot read the answer; the connection it came on is lost. */
export function isUnreadable(err: unknown): boolean {
  return err instanceof ClientError && err.service === 'messenger' && err.code === 'PARSER_POISONED';
}
