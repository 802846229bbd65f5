import { expect } from 'chai';
import type { NewRequirement } from '../../../sandbox/crm/administration.ts';
import type { RequiredProperty } from '../../../src/clients/crm/types.ts';
import { type Account, openAccount } from './account.ts';

const REGION = { name: 'region', label: 'Region', options: ['North', 'South'] } as const;

describe('A value for what the CRM account requires of some records, which it does not accept,', () => {
  let account: Account;
  let learned: RequiredProperty[];
  /** What the person wants sent. */
  let value: string;

  beforeEach(async () => {
    [learned, value] = [[], ''];
    account = await openAccount({
      requirements: {
        list: async () => [{ name: 'region', label: 'Region', value }],
        learn: async (_type, properties) => void learned.push(...properties),
        release: async () => undefined,
      },
    });
  });
  afterEach(() => account.stop());

  const requireRegion = (requirement: Pick<NewRequirement, 'type' | 'when'>) => {
    account.sandbox.requireProperty({ ...REGION, ...requirement });
    value = 'West';
  };
  const told = () => {
    const { name, isRefused, options = [] } = learned.at(-1) ?? {};
    return { name, isRefused, options: options.map(option => option.value) };
  };
  const REFUSED = { name: 'region', isRefused: true, options: ['North', 'South'] };

  it('does not keep other tasks from being changed, and is reported as rejected', async () => {
    const contactId = account.sandbox.createContact({ firstname: 'Nadia' });
    const { created } = await account.crm.createTasks(
      ['one', 'two'].map(marker => ({
        ...{ marker, contactId, subject: marker, dueAt: new Date('2026-11-27T09:00:00Z') },
        ...{ bodyHtml: `<p>${marker}</p>`, isUrgent: false, ownerId: '' },
      })),
    );
    const [one = '', two = ''] = ['one', 'two'].map(marker => created.get(marker));
    requireRegion({ type: 'tasks', when: { property: 'hs_task_subject', value: 'Other' } });
    const { gone, refused } = await account.crm.updateTasks([
      { id: one, subject: 'Other' },
      { id: two, subject: 'More' },
    ]);
    expect({ gone, refused: [...refused] }).to.deep.equal({ gone: [], refused: [[one, 'CRM_PROPERTY_REQUIRED']] });
    const subjects = account.sandbox.tasks(contactId).map(({ properties }) => properties.hs_task_subject);
    expect(subjects).to.have.members(['one', 'More']);
    expect(told()).to.deep.equal(REFUSED);
  });

  it('is reported for a note, too, which waits for another value', async () => {
    const contactId = account.sandbox.createContact({ firstname: 'Nadia' });
    const at = new Date('2026-11-23T09:00:00Z');
    const { created } = await account.crm.createNotes([{ marker: 'm', contactId, at, bodyHtml: '<p>m</p>' }]);
    const id = created.get('m') ?? '';
    requireRegion({ type: 'notes', when: { property: 'hs_attachment_ids', value: '7' } });
    account.sandbox.updateNote(id, { hs_attachment_ids: '7' });
    const { gone, refused } = await account.crm.updateNotes([{ id, at, bodyHtml: '<p>m, again</p>' }]);
    expect({ gone, refused: [...refused] }).to.deep.equal({ gone: [], refused: [[id, 'CRM_PROPERTY_REQUIRED']] });
    expect(told()).to.deep.equal(REFUSED);
  });
});
