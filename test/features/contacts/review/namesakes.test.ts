import { expect } from 'chai';
import { compact, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectCrm } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { found, readerOf, suggestion, worldOf } from '../crmPeople.ts';

const CLAIRE = 'Claire Whitfield';
const SAME = [{ field: 'name', verdict: 'same', words: 'Same name', ours: CLAIRE, theirs: CLAIRE }];
const TWO = ['Harrow Foods', 'Whitfield and Sons'].map((company, at) => ({
  ...suggestion({ id: String(21 + at), firstName: 'Claire', lastName: 'Whitfield', company }),
  evidence: SAME,
}));

describe('Two contacts of one name', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: (name: string) => string;

  before(async () => {
    const people = [
      { name: CLAIRE },
      { name: 'Anna Petersen' },
      { name: 'Ben Okafor | Acme' },
      { name: 'Nobody Known' },
    ];
    service = await startService({ crm: true, worker: false, worlds: [worldOf(people)] });
    ({ agent: lena, userId, idOf } = await readerOf(service, 'lena@example.com'));
    await connectCrm(service, lena);
    await match(CLAIRE, { status: 'UNMATCHED', confidence: 0, rule: null, contact: null, suggestions: TWO });
  });
  after(stopServices);

  const page = async (query = '') => compact((await lena.get(`/contacts${query}`).expect(200)).text);
  const match = (name: string, verdict: object) => found({ service, userId }, idOf(name), verdict);

  it('are to review, with the choice, and not called no match', async () => {
    const html = await page();
    const words = wordsOf(html);
    expect(words).to.include('1 match to review').and.include('Two contacts are called Claire Whitfield.');
    expect(words).to.include('Which one?').and.include('Harrow Foods').and.include('Whitfield and Sons');
    expect(words)
      .to.include('Two contacts of this name')
      .and.include('None of these')
      .and.not.include('Not this contact');
    expect(html).to.match(/<span class="count" id="to-review-side">1</);
    expect(wordsOf(await page('?view=unmatched'))).not.to.include(CLAIRE);
    const conversations = wordsOf((await lena.get('/conversations').expect(200)).text);
    expect(conversations).to.include('Two contacts of this name Choose');
  });
});
