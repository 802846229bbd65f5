import { expect } from 'chai';
import * as fold from '../../../../migrations/20261122130100_dialogs__match__fold.ts';
import * as namesakes from '../../../../migrations/20261126100000_dialogs__namesakes__add.ts';
import { listMatchState } from '../../../../src/features/contacts/matching/repo.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { connectMessenger, signIn } from '../../../support/people.ts';
import { startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';

const ANNA = {
  ...{ id: '101', firstName: 'Anna', lastName: 'Weber', email: 'anna@kestrel.example', company: 'Kestrel' },
  ...{ phone: '', mobilePhone: '', messengerUsername: '', messengerUserId: '', mergedIds: [] },
};
const SAME_NAME = { field: 'name', verdict: 'same', words: 'Same name', ours: 'Anna Weber', theirs: 'Anna Weber' };

/** What the schema before held of each conversation: its link, and why it is so, where anybody had looked. */
const OLD = [
  { link: {}, why: undefined },
  {
    link: { match_status: 'AUTO_NAME', match_confidence: 0.9, crm_contact_id: '101', crm_contact_name: 'Anna Weber' },
    why: {
      ...{ rule: 'name', decided_by: 'rule', evidence: [SAME_NAME], contact: ANNA },
      runner_up: { contactId: '102', name: 'Anna Webber', score: 0.7 },
      suggestions: [{ contact: ANNA, score: 0.9, evidence: [SAME_NAME] }],
    },
  },
  {
    link: { match_status: 'CONFIRMED', match_confidence: 1, crm_contact_id: '103', crm_contact_name: null },
    why: { rule: 'person', decided_by: 'person', trouble: 'CONTACT_GONE' },
  },
  { link: { match_status: 'IGNORED' }, why: { decided_by: 'person' } },
];

describe('The upgrade to one match', () => {
  after(stopServices);

  it('keeps every link with its reasons, answers the same, and can be reverted', async () => {
    const service = await startService({ worker: false, worlds: [world({ ...crowd(OLD.length) })] });
    const { db } = service;
    const nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    await nora.get('/api/messenger/dialogs').expect(200);
    await namesakes.down(db);
    await fold.down(db);
    const ids = await db('dialogs').orderBy('peer_key').pluck('id');
    expect(ids).to.have.length(OLD.length);
    for (const [n, old] of OLD.entries()) await fill(db, ids[n], old);
    const before = { dialogs: await dialogsOf(db), matches: await matchesOf(db) };

    await fold.up(db);
    await namesakes.up(db);
    const { id: userId } = await db('users').first('id');
    const states = await listMatchState(db, { userId });
    const found = ids.map(id => states.get(id));
    expect(found[0]).to.include({ status: 'UNMATCHED', contactId: '', decidedBy: 'rule', evaluatedAt: null });
    expect(found[1]).to.deep.include({
      ...{ status: 'AUTO_NAME', confidence: 0.9, contactId: '101', contactName: 'Anna Weber', problem: null },
      ...{ rule: 'name', decidedBy: 'rule', evidence: [SAME_NAME], contact: ANNA },
      runnerUp: { contactId: '102', name: 'Anna Webber', score: 0.7 },
      suggestions: [{ contact: ANNA, score: 0.9, evidence: [SAME_NAME] }],
    });
    expect(found[2]).to.include({
      status: 'CONFIRMED',
      contactId: '103',
      decidedBy: 'person',
      problem: 'CONTACT_GONE',
    });
    expect(found[3]).to.include({ status: 'IGNORED', decidedBy: 'person' });
    expect(found.slice(1).every(state => state?.evaluatedAt instanceof Date)).to.equal(true);
    const { rows } = await db.raw(`select id from dialogs where search @@ 'kestrel'::tsquery`);
    expect(rows).to.deep.equal([{ id: ids[1] }]);

    const { body } = await nora.get('/api/messenger/dialogs').expect(200);
    const linkOf = (row: Record<string, unknown>) => LINK.map(property => row[property]);
    expect(body.dialogs.map((dialog: Record<string, unknown>) => [dialog.id, ...linkOf(dialog)])).to.have.deep.members(
      before.dialogs.map(row => [
        row.id,
        row.match_status,
        Number(row.match_confidence),
        row.crm_contact_id,
        row.crm_contact_name,
      ]),
    );

    await namesakes.down(db);
    await fold.down(db);
    expect({ dialogs: await dialogsOf(db), matches: await matchesOf(db) }).to.deep.equal(before);
    await fold.up(db);
    await namesakes.up(db);
  });
});

const LINK = ['matchStatus', 'matchConfidence', 'crmContactId', 'crmContactName'];

async function fill(db: Db, dialogId: string, { link, why }: (typeof OLD)[number]): Promise<void> {
  const [{ user_id }] = await db('dialogs')
    .where({ id: dialogId })
    .update({ match_status: 'UNMATCHED', ...link })
    .returning('user_id');
  if (!why) return;
  const row = Object.fromEntries(
    Object.entries(why).map(([column, value]) => [column, typeof value === 'object' ? JSON.stringify(value) : value]),
  );
  await db('contact_matches').insert({ dialog_id: dialogId, user_id, ...row, evaluated_at: new Date() });
}

const dialogsOf = (db: Db) =>
  db('dialogs')
    .orderBy('id')
    .select('id', 'peer_name', 'match_status', 'match_confidence', 'crm_contact_id', 'crm_contact_name', 'search');
const matchesOf = (db: Db) => db('contact_matches').orderBy('dialog_id');
