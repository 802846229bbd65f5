import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import { getConnection } from '../../crm/service.ts';
import { lockDialogs, setMatches, setProblems } from '../../messenger/dialogs/service.ts';
import { contactName } from '../comparison/contactName.ts';
import { listMatchState, lockMatching } from './repo.ts';
import { isDecided } from './rules.ts';
import type { Link, MatchProblem, MatchReasons, MatchState, MatchVerdict } from './schema.ts';

type Deps = { db: Db; clock: Clock };

export type NewVerdict = { dialogId: string; verdict: MatchVerdict };

type Asked = {
  userId: string;
  portalId?: string;
  verdicts: readonly NewVerdict[];
  settle?: (trx: Db) => Promise<readonly NewVerdict[]>;
};

/**
 * Stores what the rules say, all or nothing. What a person decided meanwhile is kept, and so are contacts rejected
 * meanwhile: those conversations are left for the next run. Returns the conversations whose link changed.
 * Throws Conflict `CRM_CHANGED` when another CRM account was connected meanwhile.
 * @param portalId the account the contacts were found in
 * @param settle looks at the verdicts once more, while no other matching for this user can store any
 */
export async function saveVerdicts(
  deps: Deps,
  { userId, portalId, verdicts, settle }: Asked,
): Promise<{ changed: string[]; settled: readonly NewVerdict[] }> {
  const dialogIds = verdicts.map(({ dialogId }) => dialogId);
  return deps.db.transaction(async trx => {
    await lockMatching(trx, userId);
    await lockDialogs(trx, { userId, dialogIds });
    await refuseOtherAccount(trx, { userId, portalId });
    const states = await listMatchState(trx, { userId, dialogIds });
    const settled = settle ? await settle(trx) : verdicts;
    const news = settled.filter(({ dialogId, verdict }) => isWelcome(states.get(dialogId), verdict));
    const matches = news.map(({ dialogId, verdict }) => ({ dialogId, ...matchOf(verdict) }));
    await setMatches(trx, { userId, now: deps.clock.now() }, matches);
    const changed = matches
      .filter(match => isChange(states.get(match.dialogId), match))
      .map(({ dialogId }) => dialogId);
    return { changed, settled };
  });
}

/** Call it while holding the lock on the conversations: changing the account takes the same lock. */
export async function refuseOtherAccount(
  trx: Db,
  { userId, portalId }: { userId: string; portalId?: string | undefined },
): Promise<void> {
  if (portalId === undefined || (await getConnection({ db: trx }, { userId })).portalId === portalId) return;
  throw new Conflict('CRM_CHANGED', 'Another CRM account was connected in the meantime. Check it before you decide.');
}

function isWelcome(state: MatchState | undefined, { contact }: MatchVerdict): boolean {
  if (!state || isDecided(state)) return false;
  return contact === null || !state.rejected.includes(contact.id);
}

function isChange(state: MatchState | undefined, link: Link): boolean {
  return state?.contactId !== link.contactId || state.status !== link.status || state.confidence !== link.confidence;
}

function matchOf(verdict: MatchVerdict): Link & MatchReasons {
  const { contact } = verdict;
  const link = { contactId: contact?.id ?? '', contactName: contact && contactName(contact) };
  return { ...verdict, ...link, decidedBy: 'rule', problem: null };
}

export type NewProblem = {
  dialogId: string;
  /** The contact that was looked at: a link that changed meanwhile is left alone. */
  contactId: string;
  problem: MatchProblem | null;
  /** After a merge: the surviving record, to which the link moves. */
  survivor?: { id: string; name: string };
};

/** Stores what became of contacts that people had linked. Returns the conversations whose link changed. */
export async function saveProblems(
  deps: Deps,
  { userId, problems }: { userId: string; problems: readonly NewProblem[] },
): Promise<{ changed: string[] }> {
  const dialogIds = problems.map(({ dialogId }) => dialogId);
  return deps.db.transaction(async trx => {
    const locked = await lockDialogs(trx, { userId, dialogIds });
    const dialogs = new Map(locked.map(dialog => [dialog.id, dialog]));
    const news = problems.filter(({ dialogId, contactId }) => dialogs.get(dialogId)?.crmContactId === contactId);
    await setProblems(trx, userId, news);
    return { changed: news.filter(({ survivor }) => survivor).map(({ dialogId }) => dialogId) };
  });
}
