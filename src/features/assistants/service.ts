import type { Timed } from '../../lib/clock.ts';
import { type Db, isUuid, lockNamed, type UserKey } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { getSettings } from '../base/settings/service.ts';
import { listDialogs } from '../messenger/dialogs/repo.ts';
import { dialogName, isTracked } from '../messenger/dialogs/rules.ts';
import { findFeed } from '../promises/calendar/service.ts';
import { wordingOf } from './present.ts';
import * as repo from './repo.ts';
import { type Agreed, type Apps, type ConsentForm, type Group, MAX_GROUPS } from './schema.ts';
import { deleteAllTokens, listTokens } from './tokens/repo.ts';
import type { Token } from './tokens/schema.ts';
import { getToken, revokeToken, type Uses } from './tokens/service.ts';

/** Throws NotFound for an unknown token, another user's, and one that is for no assistant. */
export async function getConsentForm({ db }: { db: Db }, { userId, tokenId }: repo.OfToken): Promise<ConsentForm> {
  const [token, current] = await Promise.all([
    getToken(db, { userId, id: tokenId }).then(requireAssistant),
    repo.listActiveConsents(db, { userId, tokenId }),
  ]);
  const agreed = {
    isPrivate: current.some(({ dialogId }) => dialogId === null),
    groups: current.flatMap(({ dialogId }) => dialogId ?? []),
  };
  return { token, agreed, groups: await listGroupChats(db, { userId, agreed: agreed.groups }) };
}

/** The groups that are read, and those that were agreed to before they were turned off; newest first. */
async function listGroupChats(db: Db, { userId, agreed }: { userId: string; agreed: readonly string[] }): Promise<Group[]> {
  const [dialogs, settings] = await Promise.all([listDialogs(db, userId), getSettings({ db }, { userId })]);
  const groups = dialogs.filter(
    dialog => dialog.peerType !== 'user' && (isTracked(dialog, settings) || agreed.includes(dialog.id)),
  );
  return groups.slice(0, MAX_GROUPS).map(group => ({ id: group.id, name: dialogName(group) }));
}

/** Stores an assistant's new permissions. Consents that continue keep their time. Throws NotFound. */
export async function grantConsent({ db, clock }: Timed, { userId, tokenId }: repo.OfToken, agreed: Agreed): Promise<Token> {
  const now = clock.now();
  if (!isUuid(tokenId)) throw new NotFound('token');
  return db.transaction(async trx => {
    await lockNamed(trx, 'assistant', userId, tokenId);
    const token = requireAssistant(await getToken(trx, { userId, id: tokenId }, 'forKeyShare'));
    const activeConsents = await repo.listActiveConsents(trx, { userId, tokenId });
    const groups = await listGroupChats(trx, { userId, agreed: activeConsents.flatMap(({ dialogId }) => dialogId ?? []) });
    const names = new Map(groups.map(({ id, name }) => [id, name]));
    if (!agreed.groups.every(id => names.has(id))) throw new NotFound('group');
    const chosen = new Set<string | null>([...(agreed.isPrivate ? [null] : []), ...agreed.groups]);
    const endedIds = activeConsents.filter(({ dialogId }) => !chosen.has(dialogId)).map(({ id }) => id);
    for (const { dialogId } of activeConsents) chosen.delete(dialogId);
    await repo.endConsents(trx, { userId, ids: endedIds, now });
    const consents = [...chosen].map(dialogId => ({
      dialogId,
      assistant: token.name,
      agreedAt: now,
      wording: wordingOf(token.name, dialogId === null ? undefined : (names.get(dialogId) ?? '')),
    }));
    await repo.insertConsents(trx, { userId, tokenId }, consents);
    return token;
  });
}

function requireAssistant(token: Token): Token {
  if (!token.scopes.includes('assistant')) throw new NotFound('assistant');
  return token;
}

/** Ends a token at once, with what it was agreed that it may read. Throws NotFound. */
export async function revokeAssistant({ db, clock }: Timed, { userId, tokenId }: repo.OfToken): Promise<void> {
  await getToken(db, { userId, id: tokenId });
  await db.transaction(async trx => {
    await lockNamed(trx, 'assistant', userId, tokenId);
    await repo.endConsentsOf(trx, { userId, tokenId, now: clock.now() });
    await revokeToken({ db: trx }, { userId, id: tokenId });
  });
}

export async function revokeAll({ db, clock }: Timed, { userId }: UserKey): Promise<void> {
  await db.transaction(async trx => {
    await deleteAllTokens(trx, { userId });
    await repo.endConsentsOf(trx, { userId, now: clock.now() });
  });
}

/** Reads the tokens, consents and calendar feed through which other programs have access; stores pending counts first. */
export async function getApps({ db, clock, uses }: Timed & { uses: Uses }, owner: UserKey): Promise<Apps> {
  await uses.store();
  const [{ timezone }, tokens, reading, feed, lastCall] = await Promise.all([
    getSettings({ db }, owner),
    listTokens(db, owner),
    repo.countConsents(db, owner),
    findFeed(db, owner),
    repo.findLastCall(db, owner),
  ]);
  return { now: clock.now(), timezone, tokens, reading, feed, lastCall };
}
