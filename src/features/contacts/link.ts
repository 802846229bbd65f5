import type { CrmClient } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmConnection } from '../crm/schema.ts';
import { getConnection } from '../crm/service.ts';
import { getDialog } from '../dialogs/repo.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { needsReview, writesNotes } from './linkRules.ts';
import { listCompanies } from './repo.ts';

/** What other pages say of a conversation's link to the CRM, in one line. */
export type CrmLink =
  | { kind: 'linked'; words: string; href: string }
  | { kind: 'guess'; words: string; href: string; contactId: string }
  | { kind: 'none'; words: string; href: string };

type Linked = Pick<Dialog, 'id' | 'peerType' | 'matchStatus' | 'matchConfidence' | 'crmContactId' | 'crmContactName'>;

type Deps = { db: Db; crm: CrmClient | undefined };

/** Undefined where there is nothing to say: no CRM was ever connected, the person wants none, or it is a group. */
export function linkWords(dialog: Linked, company: string, connection: CrmConnection): CrmLink | undefined {
  if (connection.portalId === '' || dialog.matchStatus === 'IGNORED') return undefined;
  const link = { status: dialog.matchStatus, confidence: dialog.matchConfidence, contactId: dialog.crmContactId };
  const href = `/contacts?id=${dialog.id}`;
  const name = dialog.crmContactName ?? 'Linked';
  if (writesNotes(link, connection)) return { kind: 'linked', words: company || name, href };
  if (needsReview(link, connection)) return { kind: 'guess', words: `${name}?`, href, contactId: link.contactId };
  return dialog.peerType === 'user' ? { kind: 'none', words: 'Not in CRM', href } : undefined;
}

/** The words for any of the user's conversations. */
export async function linkWriter(
  deps: Deps,
  { userId }: { userId: string },
): Promise<(dialog: Linked) => CrmLink | undefined> {
  const connection = await getConnection(deps, { userId });
  if (!deps.crm || connection.portalId === '') return () => undefined;
  const companies = await listCompanies(deps.db, userId);
  return dialog => linkWords(dialog, companies.get(dialog.id) ?? '', connection);
}

/** Throws NotFound. */
export async function describeLink(
  deps: Deps,
  { userId, dialogId }: { userId: string; dialogId: string },
): Promise<CrmLink | undefined> {
  const dialog = await getDialog(deps.db, { userId, dialogId });
  return (await linkWriter(deps, { userId }))(dialog);
}
