import { expect } from 'chai';
import { compact, wordsOf } from '../../support/pages.ts';
import type { Agent } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { dayAgo, startStored, storeDigest, storedItem, storeMany } from '../pages/today/stored.ts';
import { INVOICE } from './quotes.ts';

describe('The search over digests', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let farid: { digestId: string; dialogId: string };

  /** Where the words stand, in the order of the page. */
  const marked = async (q: string) => [...(await pageOf(q)).matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, said]) => said);
  const pageOf = async (q: string, more = '') =>
    compact((await nora.get(`/today?q=${encodeURIComponent(q)}${more}`).expect(200)).text);
  /** The names found, in their order. */
  const found = async (q: string, more = '') => {
    const html = (await pageOf(q, more)).replace(/<\/?mark>/g, '');
    const list = html.match(/<div id="list">[\s\S]*?<nav class="views earlier"/)?.[0] ?? '';
    return [...list.matchAll(/<a href="\/conversations\/[^"]*" dir="auto">([^<]*)</g)].map(([, name]) => name);
  };

  before(async () => {
    ({ service, nora, owner } = await startStored());
    const structured = { topics: ['Data agreement'], actionItems: [storedItem('Countersign the order form')] };
    const summary = 'Die Größe der Bestellung steht fest: 18.400 Euro.';
    farid = await storeDigest(service.db, owner, { name: 'Farid Nazari', day: dayAgo(1), summary, structured });
    const more = [
      {
        name: 'Ирина Соколова',
        summary: 'Экспорт на склад не работает со среды.',
        structured: { urgency: 'high' as const },
      },
      { name: 'François Lefèvre', summary: 'A wrote about the agreement.', day: dayAgo(89) },
      { name: '佐藤健', summary: '来週の会議は金曜日に変わりました。' },
      { name: 'أحمد المصري', summary: 'وصلت أوراق الشحن' },
      { name: 'Too Old', summary: 'The agreement of long ago.', day: dayAgo(90) },
      { name: 'Not Written', summary: '', status: 'FAILED' },
    ];
    for (const digest of more) await storeDigest(service.db, owner, digest);
  });
  after(stopServices);

  it('finds names, topics, summaries and action items, whatever the accents and the case', async () => {
    for (const q of ['farid', 'NAZARI', 'grosse', 'Größe', 'countersign', 'order form', '18.400', 'data agreement']) {
      expect(await found(q), q).to.deep.equal(['Farid Nazari']);
    }
    expect(await found('francois lefevre')).to.deep.equal(['François Lefèvre']);
  });

  it('shows of a digest in people’s own words the exchanges with a match, else its newest line', async () => {
    const summary = 'Tomasz: can you put the PO number on it, 44817';
    const quoted = await storeDigest(service.db, owner, {
      ...{ name: 'Tomasz Wrona', summary, structured: { exchanges: INVOICE } },
    });
    expect(await marked('44817')).to.deep.equal(['44817']);
    const [byWord, byName] = [await pageOf('44817'), await pageOf('wrona')].map(wordsOf);
    expect(byWord).to.include('put the PO number on it, 44817 ↳ You: 📎 INV-2026-031_rev.pdf ✓');
    expect(byWord).not.to.include('hall B');
    expect(byName).to.include('yes both green since 8').and.not.include('44817');
    await service.db('digests').where({ id: quoted.digestId }).delete();
  });

  it('requires each word, in a name or in what was said, and only the beginning of the last one', async () => {
    expect(await found('farid agreem')).to.deep.equal(['Farid Nazari']);
    expect(await found('agreem farid')).to.deep.equal([]);
    expect(await found('farid unicorn')).to.deep.equal([]);
  });

  it('shows the newest first and goes back 90 days', async () => {
    expect(await found('agreement')).to.deep.equal(['Farid Nazari', 'François Lefèvre']);
    expect(await found('written')).to.deep.equal([]);
    await storeMany(service.db, owner);
    expect(await found('agreement'), 'beyond 1,500').to.deep.equal(['Farid Nazari', 'François Lefèvre']);
  });

  it('finds people by their new name, and by contact and company in the CRM', async () => {
    const dialog = () => service.db('dialogs').where({ id: farid.dialogId });
    await dialog().update({ peer_name: 'Faridoon N.', crm_contact_name: 'Mr Nazari' });
    await dialog().update({ match_contact: JSON.stringify({ company: 'Bluepeak Logistics' }) });
    for (const q of ['faridoon', 'mr nazari', 'bluepeak', 'bluepeak order']) {
      expect(await found(q), q).to.deep.equal(['Faridoon N.']);
    }
    expect(await marked('farid')).to.deep.equal(['Faridoon']);
    await service.db('crm_connections').insert({ user_id: owner.userId, portal_id: '1' });
    await storeDigest(service.db, owner, { dialogId: farid.dialogId, day: dayAgo(2) });
    const ids = [...(await pageOf('faridoon')).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids, 'of two days').to.deep.equal([...new Set(ids)]);
    await dialog().update({ peer_name: 'Farid Nazari' });
  });

  it('marks the words in names, summaries, topics and action items, in any script', async () => {
    expect(await marked('farid grosse')).to.deep.equal(['Farid', 'Größe']);
    expect(await marked('LEFEVRE agree')).to.deep.equal(['Lefèvre', 'agreement']);
    expect(await marked('countersign data agr')).to.deep.equal(['Countersign']);
    expect(await marked('data agr')).to.deep.equal(['Data', 'agreement']);
    expect(await marked('соколова скл')).to.deep.equal(['Соколова', 'склад']);
    expect(await marked('會')).to.deep.equal([]);
    expect(await marked('会議')).to.deep.equal(['会議']);
    expect(await marked('الشحن')).to.deep.equal(['الشحن']);
  });
});
