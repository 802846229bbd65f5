import type { Db } from '../../lib/db.ts';
import { findUserByEmail, findUserOfCustomer, isUser } from './repo.ts';

type Hints = { userIds: string[]; customerId: string | undefined; email: string | undefined };

/**
 * Which user paid: the one the order names, which is certain, else the one known as this customer of the provider, else
 * the one with this email address.
 */
export async function findPayingUser(
  db: Db,
  { userIds, customerId, email }: Hints,
): Promise<{ id: string; isCertain: boolean } | undefined> {
  for (const id of userIds) if (await isUser(db, id)) return { id, isCertain: true };
  const byCustomer = customerId === undefined ? undefined : await findUserOfCustomer(db, customerId);
  const id = byCustomer ?? (email === undefined ? undefined : await findUserByEmail(db, email));
  return id === undefined ? undefined : { id, isCertain: false };
}
