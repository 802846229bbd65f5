import { readablePhone } from '../../../lib/phone.ts';
import type { Dialog } from './schema.ts';

type Named = Pick<Dialog, 'peerName' | 'peerUsername' | 'peerPhone'>;

export const NAMELESS = 'Without a name';

/** What a conversation is called. */
export function nameOf(dialog: Named): string {
  return knownNameOf(dialog) || NAMELESS;
}

/** The same; '' where the messenger tells neither a name nor a handle or phone number. */
export function knownNameOf({ peerName, peerUsername, peerPhone }: Named): string {
  return peerName || peerUsername || readablePhone(peerPhone);
}
