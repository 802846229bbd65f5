import type { Db } from '../../../lib/db.ts';
import { isolateDirection } from '../../../lib/words.ts';
import { getConnection } from '../../crm/repo.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import { namesakeWords } from './present.ts';
import { listLinks } from './repo.ts';
import { needsReview, writesNotes } from './rules.ts';
import type { LinkedDialog } from './schema.ts';

/** A proposed contact that waits for the person: who it is, and why it is proposed. */
type Guess = {
  kind: 'guess';
  words: string;
  href: string;
  contactId: string;
  name: string;
  company: string;
  /** "Same name, same company", or ''. */
  why: string;
};

/** Conversation without a contact. */
type NoLink = {
  kind: 'none';
  words: string;
  /** Purpose of the link. */
  action: string;
  href: string;
  /** False if a contact can be chosen or replaced, which needs review. */
  isUnmatched: boolean;
};

/** A conversation's CRM link in one line, for other pages. */
export type CrmLink = { kind: 'linked'; words: string; href: string } | Guess | NoLink;

/** Describes these conversations' links. Ignored ones, unlinked groups, and users who never had a CRM get none. */
export async function describeLinks(
  deps: { db: Db },
  { userId, dialogIds }: { userId: string; dialogIds: readonly string[] },
): Promise<Map<string, CrmLink>> {
  const [links, connection] = await Promise.all([listLinks(deps.db, { userId, dialogIds }), getConnection(deps.db, userId)]);
  return describeLoadedLinks(links, connection);
}

/** Like {@link describeLinks}, for links that the caller has loaded with other data. */
export function describeLoadedLinks(links: readonly LinkedDialog[], connection: CrmConnection): Map<string, CrmLink> {
  if (connection.portalId === '') return new Map();
  return new Map(
    links.flatMap(link => {
      const described = describeLink(link, connection);
      return described ? [[link.dialogId, described] as const] : [];
    }),
  );
}

function describeLink(link: LinkedDialog, connection: CrmConnection): CrmLink | undefined {
  const href = `/contacts?id=${link.dialogId}`;
  const name = link.contactName ?? 'Linked';
  const createNoLink = (words: string, action: string, isUnmatched: boolean): NoLink => {
    return { kind: 'none', words, action, href, isUnmatched };
  };
  if (link.status === 'IGNORED') return undefined;
  if (link.problem === 'CONTACT_GONE') return createNoLink('No longer in the CRM', 'Match', false);
  if (writesNotes(link, connection)) return { kind: 'linked', words: findCurrentCompany(link) || name, href };
  if (needsReview(link, connection)) return describeGuess(link, { name, href });
  if (link.namesakes > 1) return createNoLink(namesakeWords(link.namesakes), 'Choose', false);
  return link.isPerson ? createNoLink('No match', 'Match', true) : undefined;
}

/** The contact's company; '' if the messenger name has a different one, as the CRM's is then outdated. */
function findCurrentCompany({ company, evidence }: LinkedDialog): string {
  return evidence.some(({ field, verdict }) => field === 'company' && verdict === 'differs') ? '' : company;
}

const MAX_REASONS = 2;

function describeGuess(
  { contactId, company, evidence }: LinkedDialog,
  { name, href }: { name: string; href: string },
): Guess {
  const agree = evidence.filter(({ verdict, words }) => (verdict === 'same' || verdict === 'similar') && words !== '');
  const why = agree.slice(0, MAX_REASONS).map(({ words }) => words);
  return { kind: 'guess', words: `${isolateDirection(name)}?`, href, contactId, name, company, why: why.join('. ') };
}
