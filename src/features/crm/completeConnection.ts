import type { CrmAccount, CrmClient, CrmTokens } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import type { Db } from '../../lib/db.ts';
import { AppError, NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { notify } from '../base/alerts/service.ts';
import { findOpenTokens, isOwner, sealTokens, tokensOfKey } from './freshAccessToken.ts';
import * as repo from './repo.ts';
import type { CrmConnection, StoredTokens } from './schema.ts';
import { announceReady, type CrmDeps, openCrm, prepareProperties, requestMatching } from './service.ts';

export type ConnectDeps = CrmDeps & {
  queue: Queue;
  /** The service's own address, without a path: the CRM sends people back to it. */
  appUrl: string;
  /**
   * Called when another CRM account replaces the last one, whose contacts are other people's records. Runs in the
   * transaction that changes the account, so that no link to the old one meets the new one.
   */
  forgetLinks(trx: Db, owner: { userId: string }): Promise<void>;
};

/** Throws AppError `CRM_NOT_CONFIGURED` where the operator configured none. */
export function requireClient({ crm }: { crm: CrmClient | undefined }): CrmClient {
  if (crm) return crm;
  throw new AppError('CRM_NOT_CONFIGURED', 'This server has no CRM set up, so there is none to connect.');
}

export function redirectUri({ appUrl }: { appUrl: string }): string {
  return `${appUrl}/api/crm/callback`;
}

export type Connected = {
  connection: CrmConnection;
  /** This isn't the account that was connected last, so none of that one's matches hold any more. */
  isOther: boolean;
};

/**
 * Exchanges the code and keeps the tokens. Connecting the same account again keeps everything; our properties are
 * created now, or at first use when the CRM doesn't accept them now.
 */
export async function completeConnection(
  deps: ConnectDeps,
  { userId, code }: { userId: string; code: string },
): Promise<Connected> {
  const crm = requireClient(deps);
  const { account, ...tokens } = await crm.exchangeCode({ code, redirectUri: redirectUri(deps) });
  return takeAccount({ ...deps, crm }, { userId, account, tokens });
}

/**
 * Connects the account that the installation's key opens. Throws NotFound where there is no key, or the user isn't its
 * owner, ClientError `CRM_AUTH` or `CRM_SCOPE_MISSING` when the CRM doesn't accept it.
 */
export async function connectByKey(deps: ConnectDeps, { userId }: { userId: string }): Promise<Connected> {
  const crm = requireClient(deps);
  const { ownKey } = crm;
  if (ownKey === undefined || !(await isOwner(deps, userId))) throw new NotFound('key');
  const account = await crm.readAccount(ownKey);
  return takeAccount({ ...deps, crm }, { userId, account, tokens: tokensOfKey(ownKey) });
}

async function takeAccount(deps: ConnectDeps & { crm: CrmClient }, fresh: Fresh): Promise<Connected> {
  const { crm } = deps;
  const { userId, account, tokens } = fresh;
  const { isOther, replaced } = await storeConnection(deps, fresh).catch(async err => {
    // The user was deleted meanwhile, or the database is gone: nothing could revoke this access later.
    await revoke(deps, crm, tokens);
    throw err;
  });
  notify(deps, { level: 'info', source: 'crm', kind: 'CRM_CONNECTED', about: { userId } });
  if (replaced) await revoke(deps, crm, replaced);
  await tryProperties(deps, { userId, portalId: account.portalId });
  await announceReady(deps, { userId });
  return { connection: await repo.getConnection(deps.db, userId), isOther };
}

type Fresh = { userId: string; account: CrmAccount; tokens: CrmTokens };

/** Also returns the tokens of another account that was connected until now. */
async function storeConnection(
  deps: ConnectDeps,
  { userId, account, tokens }: Fresh,
): Promise<{ isOther: boolean; replaced: StoredTokens | undefined }> {
  return deps.db.transaction(async trx => {
    const before = await repo.lockConnection(trx, userId);
    const isOther = before.portalId !== '' && before.portalId !== account.portalId;
    const replaced = isOther ? await findOpenTokens({ ...deps, db: trx }, userId) : undefined;
    if (isOther) await deps.forgetLinks(trx, { userId });
    await repo.activate(trx, userId, { account, ...sealTokens(deps, userId, tokens), now: deps.clock.now() });
    await requestMatching(deps, trx, { userId });
    return { isOther, replaced };
  });
}

async function tryProperties(deps: ConnectDeps & { crm: CrmClient }, about: { userId: string; portalId: string }) {
  try {
    await prepareProperties(deps, about, openCrm(deps, about));
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    deps.log.warn({ err, userId: about.userId }, 'CRM properties not created yet');
  }
}

/**
 * Ends the access at the CRM and wipes it here. `revoked` is false when the CRM could not be told. Switches, the
 * account's id, matches and notes stay. Doing it again gives the same answer.
 */
export async function disconnect(deps: CrmDeps, { userId }: { userId: string }): Promise<{ revoked: boolean }> {
  const tokens = await findOpenTokens(deps, userId);
  await repo.wipeTokens(deps.db, userId);
  if (!tokens) return { revoked: true };
  const revoked = deps.crm !== undefined && (await revoke(deps, deps.crm, tokens));
  deps.log.info({ userId, revoked }, 'CRM disconnected');
  return { revoked };
}

async function revoke({ log }: Pick<CrmDeps, 'log'>, crm: CrmClient, { refreshToken }: StoredTokens): Promise<boolean> {
  try {
    await crm.revokeTokens(refreshToken);
    return true;
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.warn({ err }, 'CRM access not revoked');
    return false;
  }
}
