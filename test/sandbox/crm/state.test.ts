import { expect } from 'chai';
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
});
