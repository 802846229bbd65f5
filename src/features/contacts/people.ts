import type { Db } from '../../lib/db.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { messengerIdOf } from './createContact.ts';
import { callingCodeOf } from './phoneRules.ts';
import { listOwnPhones } from './repo.ts';
import type { Person } from './schema.ts';

/** By account: the calling code of the country its own number is from. */
export async function callingCodes({ db }: { db: Db }, userId: string): Promise<Map<string, string>> {
  const phones = await listOwnPhones(db, userId);
  return new Map([...phones].map(([accountId, phone]) => [accountId, callingCodeOf(phone)]));
}

/** @param codes as {@link callingCodes} answers them */
export function personOf(dialog: Dialog, codes: ReadonlyMap<string, string>): Person {
  return {
    dialogId: dialog.id,
    messengerUserId: messengerIdOf(dialog),
    name: dialog.peerName,
    username: dialog.peerUsername,
    phone: dialog.peerPhone,
    callingCode: codes.get(dialog.accountId) ?? '',
  };
}
