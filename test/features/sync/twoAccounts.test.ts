import { expect } from 'chai';
import { openCrmSide } from '../../../src/features/sync/run/openCrmSide.ts';
import type { ProgressBook } from '../../../src/features/sync/run/openProgress.ts';
import { connectCrm, connectMessenger, signIn } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { crowd, owner, person, world } from '../../support/worlds.ts';
import { depsOf } from './dueUsers.ts';

const OTHER = '+34600333444';

describe('A sync of two accounts', () => {
  after(stopServices);

  it('expects the notes of the second account while its conversations are looked up in the CRM', async () => {
    const second = world({ ...crowd(1), key: 'second', owner: person(2000, { firstName: 'Nora', phone: OTHER }) });
    const contacts = [{ id: '101', firstname: 'Anna', lastname: 'Weber', email: 'anna@kestrel.example' }];
    const service = await startService({ worlds: [world(crowd(1)), second], crm: { contacts }, worker: false });
    const nora = await signIn(service, 'nora@example.com');
    await connectCrm(service, nora);
    const accountIds = [await connectMessenger(service, nora, owner.phone ?? '')];
    accountIds.push(await connectMessenger(service, nora, OTHER));
    await nora.get('/api/messenger/dialogs').expect(200);
    const { id: userId } = await service.db('users').first();
    const deps = await depsOf(service);
    const config = { includeGroups: false, autoCreateContacts: false } as Parameters<typeof openCrmSide>[1]['config'];
    const side = await openCrmSide(deps, { userId, jobId: 'none', config, progress: {} as ProgressBook });

    side.startMatching(accountIds[0] ?? '');
    await until(async () => (await service.db('dialogs').whereNotNull('match_evaluated_at')).length > 0);
    service.crm.faults.delay(1000);
    side.startMatching(accountIds[1] ?? '');
    const dialog = await service.db('dialogs').where({ account_id: accountIds[1] }).first();
    const [digest] = await service
      .db('digests')
      .insert({
        ...{ user_id: userId, dialog_id: dialog.id, digest_date: '2026-11-20', status: 'COMPLETE', summary: 'New.' },
        ...{ after_message_id: 0, last_message_id: 1 },
      })
      .returning('id');
    await service.db.transaction(trx => side.expectNotes(trx, [{ digestId: digest.id, dialogId: dialog.id }]));
    expect(await service.db('outbox_notes').where({ digest_id: digest.id })).to.have.length(1);
    await deps.close();
  });
});
