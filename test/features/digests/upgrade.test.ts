import { expect } from 'chai';
import request from 'supertest';
import * as split from '../../../migrations/20261122130000_digests__status__split.ts';
import * as outbox from '../../../migrations/20261126160000_outbox_notes__create.ts';
import type { Db } from '../../../src/lib/db.ts';
import { signIn } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { dayAgo, storeAccount, storeDialog } from '../pages/today/stored.ts';

const KEY = 'operator-key-of-the-test';

type Old = { status: string; reason?: string; summary?: string; note?: { state: string; trouble?: string } };

/** What a month left in the schema before: each state of a digest with the states its note can be in. */
const OLD: Old[] = [
  { status: 'COMPLETE' },
  { status: 'COMPLETE', note: { state: 'written' } },
  { status: 'COMPLETE', note: { state: 'failed', trouble: 'CRM_CONTACT_GONE' } },
  { status: 'SYNCING' },
  { status: 'SYNCING', note: { state: 'waiting', trouble: 'CRM_UNAVAILABLE' } },
  { status: 'SYNCING', note: { state: 'outdated' } },
  { status: 'SYNCING', note: { state: 'written' } },
  { status: 'FAILED', reason: 'CRM_REFUSED', note: { state: 'failed', trouble: 'CRM_REFUSED' } },
  { status: 'FAILED', reason: 'CRM_REFUSED' },
  { status: 'FAILED', reason: 'AI_UNAVAILABLE', summary: '' },
  { status: 'FAILED', reason: 'TIMEOUT', note: { state: 'written' } },
  { status: 'PENDING', note: { state: 'written' } },
  { status: 'PENDING', summary: '' },
  { status: 'SUMMARIZING', summary: '' },
  { status: 'SKIPPED', reason: 'TOO_FEW_MESSAGES', summary: '' },
];
const OLD_DISCONNECTED: Old[] = [
  { status: 'COMPLETE', note: { state: 'waiting' } },
  { status: 'COMPLETE', note: { state: 'outdated' } },
  { status: 'FAILED', reason: 'CRM_REFUSED', note: { state: 'failed', trouble: 'CRM_REFUSED' } },
];
const DAYS = 3;

describe('The upgrade to one status', () => {
  after(stopServices);

  it('keeps every digest and note, answers the same, and can be reverted', async () => {
    const service = await startService({ worker: false, env: { ADMIN_API_KEY: KEY } });
    const { db } = service;
    const people = {
      nora: await signIn(service, 'nora@example.com'),
      olu: await signIn(service, 'olu@example.com'),
    };
    await outbox.down(db);
    await split.down(db);
    await fill(db, 'nora@example.com', 'active', OLD);
    await fill(db, 'olu@example.com', 'disconnected', OLD_DISCONNECTED);
    const digests = await db('digests').orderBy('id');
    const notes = await db('crm_notes').orderBy('id');
    const statuses = new Map(digests.map(({ id, status }) => [id, status]));

    await split.up(db);
    const kept = ['status', 'reason'];
    const rest = (rows: Record<string, unknown>[]) =>
      rows.map(row => Object.fromEntries(Object.entries(row).filter(([column]) => !kept.includes(column))));
    expect(rest(await db('digests').orderBy('id'))).to.deep.equal(rest(digests));
    const noteIds = notes.map(({ id }) => id);
    expect(await db('crm_notes').whereIn('id', noteIds).pluck('id')).to.have.members(noteIds);
    await outbox.up(db);

    const { body: ofNora } = await people.nora.get('/api/digests').expect(200);
    const { body: ofOlu } = await people.olu.get('/api/digests').expect(200);
    const answered: { id: string; status: string }[] = [...ofNora.digests, ...ofOlu.digests];
    expect(answered).to.have.length(DAYS * (OLD.length + OLD_DISCONNECTED.length));
    expect(new Map(answered.map(({ id, status }) => [id, status]))).to.deep.equal(statuses);
    const { body: operator } = await request(service.url).get(`/api/admin/status?key=${KEY}`).expect(200);
    const counted = Map.groupBy(digests, ({ status }) => status);
    expect(operator.syncs_24h).to.deep.equal(
      Object.fromEntries([...counted].map(([status, rows]) => [status, rows.length])),
    );

    await outbox.down(db);
    await split.down(db);
    expect(await db('digests').orderBy('id')).to.deep.equal(digests);
    await split.up(db);
    await outbox.up(db);
  });
});

/** The digests of some days in the schema before, each in a conversation of its own. */
async function fill(db: Db, email: string, connection: string, all: readonly Old[]): Promise<void> {
  const owner = await storeAccount(db, email);
  const crm = { status: connection, portal_id: '1', credentials: connection === 'active' ? 'none' : null };
  await db('crm_connections').insert({ user_id: owner.userId, ...crm, connected_at: new Date() });
  for (const { status, reason = null, summary = 'They wrote.', note } of all) {
    const dialogId = await storeDialog(db, owner, `${status} ${note?.state ?? ''}`);
    for (let days = 0; days < DAYS; days++) {
      const digest = { digest_date: dayAgo(days), status, reason, summary, after_message_id: 0, last_message_id: 1 };
      const [{ id }] = await db('digests')
        .insert({ user_id: owner.userId, dialog_id: dialogId, ...digest })
        .returning('id');
      if (!note) continue;
      const isThere = ['written', 'outdated'].includes(note.state);
      const contact = { portal_id: '1', crm_contact_id: '101', crm_note_id: isThere ? id : null, ...note };
      await db('crm_notes').insert({ user_id: owner.userId, dialog_id: dialogId, digest_id: id, ...contact });
    }
  }
}
