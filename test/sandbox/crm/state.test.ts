import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readContactsFile } from '../../../sandbox/crm/seed.ts';
import { apiWith, askForToken, closeAll, freshFolder, noteOn, openCrm, signIn } from './support.ts';

describe("The CRM sandbox's state", () => {
  afterEach(closeAll);

  it('goes on where it ended: tokens, properties, contacts, merges and notes', async () => {
    const stateDir = freshFolder();
    const first = await openCrm({ stateDir, contacts: [{ id: '1', phone: '+49 171 3920047' }, { id: '2' }] });
    const { access, refresh } = await signIn(first);
    const api = apiWith(first, access);
    await api('POST', '/crm/properties/2026-09/contacts/groups', { name: 'telegram', label: 'Telegram' });
    await api('POST', '/notes', noteOn('2'));
    const merged = first.mergeContacts('1', '2');
    await first.stop();

    const second = await openCrm({ stateDir, contacts: [{ id: '5' }] });
    const again = apiWith(second, access);
    expect(second.contacts().map(({ id }) => id)).to.deep.equal([merged]);
    expect((await again('GET', '/contacts/1')).body.id).to.equal(merged);
    expect(second.notes(merged)).to.have.length(1);
    expect((await again('GET', '/crm/properties/2026-09/contacts/groups/telegram')).status).to.equal(200);
    const query = { filterGroups: [{ filters: [{ propertyName: 'phone', operator: 'HAS_PROPERTY' }] }] };
    expect((await again('POST', '/contacts/search', query)).body.total).to.equal(1);
    expect((await askForToken(second, { grant_type: 'refresh_token', refresh_token: refresh })).status).to.equal(200);
    expect(Number(second.createContact({ firstname: 'New' }))).to.be.greaterThan(Number(merged));
  });

  it('drops a line that was cut off, and says which file it cannot read', async () => {
    const stateDir = freshFolder();
    const file = join(stateDir, 'crm.jsonl');
    await (await openCrm({ stateDir, contacts: [{ id: '1' }] })).stop();
    appendFileSync(file, '{"kind":"record","rec');
    const crm = await openCrm({ stateDir });
    expect(crm.contacts()).to.have.length(1);
    crm.createContact({ firstname: 'Next' });
    await crm.stop();
    expect((await openCrm({ stateDir })).contacts()).to.have.length(2);
    const broken = freshFolder();
    writeFileSync(join(broken, 'crm.jsonl'), 'nonsense\n');
    const error = await openCrm({ stateDir: broken }).catch(thrown => thrown);
    expect(error.message).to.include("crm.jsonl can't be read");
  });

  it('does not grow with what was overwritten, nor is all written at every change', async () => {
    const stateDir = freshFolder();
    const file = join(stateDir, 'crm.jsonl');
    const crm = await openCrm({ stateDir, contacts: Array.from({ length: 1000 }, (_, index) => ({ id: index + 1 })) });
    const before = statSync(file).size;
    crm.updateContact('1', { company: 'Berg' });
    expect(statSync(file).size - before).to.be.lessThan(1000);
    for (let count = 0; count < 1500; count += 1) crm.updateContact('1', { company: `No ${count}` });
    await crm.stop();
    await (await openCrm({ stateDir })).stop();
    expect(readFileSync(file, 'utf8').split('\n')).to.have.length(1000 + 1 + 1);
  });

  it('takes contacts of a file, and says without quoting where one is malformed', () => {
    const file = join(freshFolder(), 'contacts.json');
    const read = (content: string) => {
      writeFileSync(file, content);
      return readContactsFile(file);
    };
    const contact = { id: '7', firstname: 'Ann', phone: null, notes: 'kept out' };
    expect(read(JSON.stringify([contact]))[0]).to.include({ id: '7', firstname: 'Ann', phone: '' });
    expect(() => read('{"secret": "words"}'))
      .to.throw(/contacts\.json.*list/)
      .and.not.match(/secret/);
    expect(() => read('[{"id": "1"}, {"id": "x-secret"}]'))
      .to.throw(/\[1\]\.id must be digits/)
      .and.not.match(/secret/);
    expect(() => read('[{"id": "1"}, {"id": 1}]')).to.throw(/\[1\] has the id/);
    expect(() => read('nonsense'))
      .to.throw(/is not JSON/)
      .and.not.match(/nonsense/);
    expect(() => readContactsFile(join(file, 'nowhere'))).to.throw(/can’t be read/);
  });
});
