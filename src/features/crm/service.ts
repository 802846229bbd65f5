import { fromKnex } from 'pg-boss';
import type { Crm, CrmClient, RequirementBook } from '../../clients/crm/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Queue } from '../../lib/queue.ts';
import type { Alerts } from '../base/alerts/service.ts';
import { freshAccessToken } from './freshAccessToken.ts';
import * as repo from './repo.ts';
import {
  CRM_CONNECTED_QUEUE,
  CRM_READY_QUEUE,
  type CrmConnection,
  type RequirementKey,
  type Switches,
} from './schema.ts';
import { pause, takeTurn } from './throttle/service.ts';

export { deleteWebhookCountsBefore, deleteWebhookEventsBefore, wipeTokens } from './repo.ts';

/** `crm` is undefined where the operator configured none. */
export type CrmDeps = {
  db: Db;
  clock: Clock;
  log: Log;
  alerts: Alerts;
  cipher: Cipher;
  crm: CrmClient | undefined;
  /** Whom the installation's key is for, where it has one. */
  ownerEmail?: string | undefined;
};

type Owner = { userId: string };

/**
 * The user's CRM, opened, with our properties in it; undefined when there is none, or when the person must sign in to
 * it again. Bound to the account that is connected now: its calls fail with `CRM_AUTH` once another one is. Throws
 * ClientError when the properties are still missing and the CRM doesn't accept them now.
 */
export async function findCrm(
  deps: CrmDeps,
  { userId }: Owner,
): Promise<{ crm: Crm; connection: CrmConnection } | undefined> {
  const connection = await repo.getConnection(deps.db, userId);
  if (!deps.crm || connection.status !== 'active') return undefined;
  const crm = openCrm({ ...deps, crm: deps.crm }, { userId, portalId: connection.portalId });
  if (connection.propertiesReady) return { crm, connection };
  await prepareProperties(deps, { userId, portalId: connection.portalId }, crm);
  return { crm, connection: { ...connection, propertiesReady: true } };
}

/** Like {@link findCrm}, but throws Conflict `CRM_NOT_CONNECTED` where that returns undefined. */
export async function requireCrm(deps: CrmDeps, owner: Owner): Promise<{ crm: Crm; connection: CrmConnection }> {
  const found = await findCrm(deps, owner);
  if (!found) throw new Conflict('CRM_NOT_CONNECTED', 'Connect the CRM first, under Settings, Connections.');
  return found;
}

type OpenDeps = CrmDeps & { crm: CrmClient };

export function openCrm(deps: OpenDeps, { userId, portalId }: { userId: string; portalId: string }): Crm {
  return deps.crm.open({
    portalId,
    accessToken: refused => freshAccessToken(deps, { userId, portalId }, refused),
    takeTurn: kind => takeTurn(deps, { portalId, kind }),
    pause: (kind, seconds) => pause(deps, { portalId, kind }, seconds),
    requirements: openBook(deps, { userId, portalId }),
  });
}

export async function prepareProperties(
  deps: { db: Db },
  about: { userId: string; portalId: string },
  crm: Crm,
): Promise<void> {
  await crm.ensureProperties();
  await repo.setPropertiesReady(deps.db, about);
}

/** Changes what may be written without a click. Turning a switch on releases what waited for it. */
export async function changeSwitches(
  deps: { db: Db; queue: Queue },
  { userId, switches }: { userId: string; switches: Partial<Switches> },
): Promise<CrmConnection> {
  const connection = await repo.setSwitches(deps.db, userId, switches);
  const isOpened = Object.values(switches).includes(true);
  if (isOpened && connection.status === 'active') await announceReady(deps, { userId });
  return connection;
}

type OfRequirement = Owner & RequirementKey;

/**
 * Sets what is sent from now on for a property that the account requires. Throws NotFound where it requires no such
 * property, or one value can't serve for it.
 */
export async function fillIn(
  deps: { db: Db; queue: Queue },
  { userId, ...filled }: OfRequirement & { value: string },
): Promise<void> {
  const { portalId } = await repo.getConnection(deps.db, userId);
  if (!(await repo.setValue(deps.db, { userId, portalId }, filled))) throw new NotFound('property');
  await announceReady(deps, { userId });
}

/** Nothing is sent for it any more. If the account still requires it, the next refusal says so. */
export async function forgetRequirement(
  deps: { db: Db; queue: Queue },
  { userId, ...key }: OfRequirement,
): Promise<void> {
  const { portalId } = await repo.getConnection(deps.db, userId);
  await repo.deleteRequirement(deps.db, { userId, portalId }, key);
  await announceReady(deps, { userId });
}

/** What waited for the CRM may be written now. */
export async function announceReady({ queue }: { queue: Queue }, { userId }: Owner): Promise<void> {
  await queue.send(CRM_READY_QUEUE.name, { userId }, { singletonKey: userId });
}

/** Requests that the conversations read so far be matched. Takes part in the transaction that connects the account. */
export async function requestMatching({ queue }: { queue: Queue }, db: Db, { userId }: Owner): Promise<void> {
  await queue.send(CRM_CONNECTED_QUEUE.name, { userId }, { singletonKey: userId, db: fromKnex(db) });
}

/** What one user's CRM account requires; the CRM client reads it and adds to it. */
function openBook({ db, clock }: { db: Db; clock: Clock }, account: repo.Account): RequirementBook {
  return {
    list: type => repo.listRequirementsOf(db, account, type),
    learn: (type, properties) => repo.insertRequirements(db, account, { type, properties, now: clock.now() }),
    release: (type, sent) => repo.releaseRequirements(db, account, { type, sent }),
  };
}
