import type { Db } from '../../../lib/db.ts';
import { callingCodeOf } from '../../../lib/phone.ts';
import { messengerIdOf } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/service.ts';
import type { Person } from './schema.ts';

/** The calling code of the country of each account's own number, by account. */
export async function callingCodes({ db }: { db: Db }, userId: string): Promise<Map<string, string>> {
  const accounts = await listAccounts({ db }, { userId });
  return new Map(accounts.map(({ id, phone }) => [id, callingCodeOf(phone)]));
}

/** @param codes as {@link callingCodes} returns them */
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
