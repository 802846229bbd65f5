import { fromKnex } from 'pg-boss';
import type { Crm, CrmAccount, CrmClient, CrmTokens, RequirementBook } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import type { Timed } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Db, UserKey } from '../../lib/db.ts';
import { AppError, Conflict, NotFound } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Queue } from '../../lib/queue.ts';
import { type Alerts, notify } from '../base/alerts/service.ts';
import { findOpenTokens, getFreshAccessToken, isOwner, keyAsTokens, sealTokens } from './getFreshAccessToken.ts';
import * as repo from './repo.ts';
import * as schema from './schema.ts';
import { holdOff, takeTurn } from './throttle/service.ts';

/** `crm` is undefined where the operator configured none. */
export type CrmDeps = Timed & {
  log: Log;
  alerts: Alerts;
  cipher: Cipher;
  crm: CrmClient | undefined;
  /** Address of the user whom the installation's key serves. */
  ownerEmail?: string | undefined;
};

/**
 * The user's CRM, opened, with our properties in it; undefined when there is none, or when the person must sign in to
 * it again. Bound to the account that is connected now: its calls fail with `CRM_AUTH` once another one is. Throws
 * ClientError when the properties are still missing and the CRM doesn't accept them now.
 */
export async function findCrm(
  deps: CrmDeps,
  { userId }: UserKey,
): Promise<{ crm: Crm; connection: schema.CrmConnection } | undefined> {
  const connection = await repo.getConnection(deps.db, userId);
  if (!deps.crm || connection.status !== 'active') return undefined;
  const crm = openCrm({ ...deps, crm: deps.crm }, { userId, portalId: connection.portalId });
  if (connection.propertiesReady) return { crm, connection };
  await prepareProperties(deps, { userId, portalId: connection.portalId }, crm);
  return { crm, connection: { ...connection, propertiesReady: true } };
}

/** Like {@link findCrm}, but throws Conflict `CRM_NOT_CONNECTED` instead of returning undefined. */
export async function requireCrm(deps: CrmDeps, owner: UserKey): Promise<{ crm: Crm; connection: schema.CrmConnection }> {
  const found = await findCrm(deps, owner);
  if (!found) throw new Conflict('CRM_NOT_CONNECTED', 'Connect the CRM first, under Settings, Connections.');
  return found;
}

function openCrm(deps: CrmDeps & { crm: CrmClient }, { userId, portalId }: repo.Portal): Crm {
  return deps.crm.open({
    portalId,
    accessToken: refused => getFreshAccessToken(deps, { userId, portalId }, refused),
    takeTurn: kind => takeTurn(deps, { portalId, kind }),
    pause: (kind, seconds) => holdOff(deps.db, { portalId, kind }, seconds),
    requirementBook: requirementStore(deps, { userId, portalId }),
  });
}

async function prepareProperties(deps: { db: Db }, about: repo.Portal, crm: Crm) {
  await crm.ensureProperties();
  await repo.setPropertiesReady(deps.db, about);
}

/** Changes what may be written without a click. Turning a switch on releases what waited for it. */
export async function changeSwitches(
  deps: { db: Db; queue: Queue },
  { userId, switches }: { userId: string; switches: Partial<schema.Switches> },
): Promise<schema.CrmConnection> {
  const connection = await repo.setSwitches(deps.db, userId, switches);
  const isOpened = Object.values(switches).includes(true);
  if (isOpened && connection.status === 'active') await announceReady(deps, { userId });
  return connection;
}

type OfRequirement = UserKey & schema.RequirementKey;

/** Sets the value of a required property. Throws NotFound if it isn't required, or needs different values. */
export async function saveRequirement(
  deps: { db: Db; queue: Queue },
  { userId, ...filled }: OfRequirement & { value: string },
) {
  const { portalId } = await repo.getConnection(deps.db, userId);
  if (!(await repo.setValue(deps.db, { userId, portalId }, filled))) throw new NotFound('property');
  await announceReady(deps, { userId });
}

/** Forgets a requirement: nothing is sent for it any more. If the account still has it, the next refusal says so. */
export async function forgetRequirement(deps: { db: Db; queue: Queue }, { userId, ...key }: OfRequirement) {
  const { portalId } = await repo.getConnection(deps.db, userId);
  await repo.deleteRequirement(deps.db, { userId, portalId }, key);
  await announceReady(deps, { userId });
}

/** Announces that records which waited for the CRM may be written now. */
export async function announceReady({ queue }: { queue: Queue }, { userId }: UserKey): Promise<void> {
  await queue.send(schema.CRM_READY_QUEUE.name, { userId }, { singletonKey: userId });
}

/** Requests that the conversations read so far be matched. Takes part in the transaction that connects the account. */
export async function requestMatching({ queue }: { queue: Queue }, db: Db, { userId }: UserKey): Promise<void> {
  await queue.send(schema.CRM_CONNECTED_QUEUE.name, { userId }, { singletonKey: userId, db: fromKnex(db) });
}

/** The requirements of one user's CRM account. The CRM client reads them and adds to them. */
function requirementStore({ db, clock }: Timed, account: repo.Portal): RequirementBook {
  return {
    list: type => repo.listRequirementsOf(db, account, type),
    learn: (type, properties) => repo.insertRequirements(db, account, { type, properties, now: clock.now() }),
    release: (type, sent) => repo.releaseRequirements(db, account, { type, sent }),
  };
}

export type ConnectDeps = CrmDeps & {
  queue: Queue;
  /** The service's own address, without a path: the CRM sends people back to it. */
  appUrl: string;
  /**
   * Called when another CRM account replaces the last one, whose contacts are other people's records. Runs in the
   * transaction that changes the account, so that no link to the old one meets the new one.
   */
  forgetLinks(trx: Db, owner: UserKey): Promise<void>;
};

/** Throws AppError `CRM_NOT_CONFIGURED` where the operator configured none. */
export function requireClient({ crm }: { crm: CrmClient | undefined }): CrmClient {
  if (crm) return crm;
  throw new AppError('CRM_NOT_CONFIGURED', 'This server has no CRM set up, so there is none to connect.');
}

export const redirectUri = ({ appUrl }: { appUrl: string }): string => `${appUrl}/api/crm/callback`;

export type Connected = {
  connection: schema.CrmConnection;
  /** The account differs from the last one, whose matches are void now. */
  isOther: boolean;
};

/**
 * Exchanges the code and keeps the tokens. Connecting the same account again keeps everything; our properties are
 * created now, or at first use when the CRM doesn't accept them now.
 */
export async function completeConnection(deps: ConnectDeps, { userId, code }: { userId: string; code: string }) {
  const crm = requireClient(deps);
  const { account, ...tokens } = await crm.exchangeCode({ code, redirectUri: redirectUri(deps) });
  return takeAccount({ ...deps, crm }, { userId, account, tokens });
}

/**
 * Connects the account that the installation's key opens. Throws NotFound where there is no key, or the user isn't its
 * owner, ClientError `CRM_AUTH` or `CRM_SCOPE_MISSING` when the CRM doesn't accept it.
 */
export async function connectByKey(deps: ConnectDeps, { userId }: UserKey): Promise<Connected> {
  const crm = requireClient(deps);
  const { ownKey } = crm;
  if (ownKey === undefined || !(await isOwner(deps, userId))) throw new NotFound('key');
  const account = await crm.readAccount(ownKey);
  return takeAccount({ ...deps, crm }, { userId, account, tokens: keyAsTokens(ownKey) });
}

async function takeAccount(deps: ConnectDeps & { crm: CrmClient }, fresh: Fresh): Promise<Connected> {
  const { crm } = deps;
  const { userId, account, tokens } = fresh;
  const { isOther, replaced } = await storeConnection(deps, fresh).catch(async err => {
    // The user was deleted meanwhile, or the database is gone: revokes the access now, as nothing could later.
    await revokeTokens(deps, crm, tokens);
    throw err;
  });
  notify(deps, { level: 'info', source: 'crm', kind: 'CRM_CONNECTED', about: { userId } });
  if (replaced) await revokeTokens(deps, crm, replaced);
  await tryProperties(deps, { userId, portalId: account.portalId });
  await announceReady(deps, { userId });
  return { connection: await repo.getConnection(deps.db, userId), isOther };
}

type Fresh = { userId: string; account: CrmAccount; tokens: CrmTokens };

/** Stores the connection. `isOther`: it replaces another account, whose tokens are `replaced`, if they can be read. */
async function storeConnection(
  deps: ConnectDeps,
  { userId, account, tokens }: Fresh,
): Promise<{ isOther: boolean; replaced: schema.StoredTokens | undefined }> {
  return deps.db.transaction(async trx => {
    const before = await repo.lockConnection(trx, userId);
    const isOther = before.portalId !== '' && before.portalId !== account.portalId;
    const replaced = isOther ? (await findOpenTokens({ ...deps, db: trx }, userId))?.tokens : undefined;
    if (isOther) await deps.forgetLinks(trx, { userId });
    await repo.activateConnection(trx, userId, { account, ...sealTokens(deps, userId, tokens), now: deps.clock.now() });
    await requestMatching(deps, trx, { userId });
    return { isOther, replaced };
  });
}

async function tryProperties(deps: ConnectDeps & { crm: CrmClient }, about: repo.Portal) {
  try {
    await prepareProperties(deps, about, openCrm(deps, about));
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    deps.log.warn({ err, userId: about.userId }, 'CRM properties not created yet');
  }
}

/**
 * Revokes the access at the CRM and erases it here. `revoked` is false if the CRM was unreachable, or the tokens' key is
 * lost. Switches, account id, matches and notes stay. Idempotent.
 */
export async function disconnect(deps: CrmDeps, { userId }: UserKey): Promise<{ revoked: boolean }> {
  const found = await findOpenTokens(deps, userId);
  await repo.wipeTokens(deps.db, userId);
  if (!found) return { revoked: true };
  const revoked = found.tokens !== undefined && deps.crm !== undefined && (await revokeTokens(deps, deps.crm, found.tokens));
  deps.log.info({ userId, revoked }, 'CRM disconnected');
  return { revoked };
}

async function revokeTokens({ log }: CrmDeps, crm: CrmClient, tokens: schema.StoredTokens): Promise<boolean> {
  try {
    await crm.revokeTokens(tokens.refreshToken);
    return true;
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.warn({ err }, 'CRM access not revoked');
    return false;
  }
}
