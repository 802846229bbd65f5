import { expect } from 'chai';
import { chooseKeyLines, describeExchanges, lineText } from '../../../src/features/digests/describeExchanges.ts';
import { exchange, INVOICE, said } from './quotes.ts';

const TODAY = '2026-11-20';
const key = (...exchanges: typeof INVOICE) => chooseKeyLines(exchanges, { isGroup: false }).map(lineText).join(' ');
const texts = (...exchanges: typeof INVOICE) =>
  describeExchanges(exchanges, { today: TODAY }).flatMap(({ lines }) => lines.map(lineText));

describe('A digest in people’s own words', () => {
  it('marks where words are left out, what was passed on and what was sent', () => {
    const [span] = said('Jana', 'Anna should read it').spans;
    const parts = [{ ...span, isStart: false, isEnd: false } as NonNullable<typeof span>];
    expect(texts(exchange(said('Jana', '', { spans: [...parts, ...parts], isForwarded: true })))).to.deep.equal([
      'Jana ↪: … Anna should read it … / … Anna should read it …',
    ]);
    const photo = said('Jana', 'our stand', { attachment: { kind: 'photo', name: '' } });
    expect(texts(exchange(photo))).to.deep.equal(['Jana: 📷 our stand']);
  });

  it('says the day only where there are several, or it is not the one named beside them', () => {
    const earlier = exchange(said('Tomasz', 'hello', { day: '2026-11-18', time: '17:52' }));
    const when = (exchanges: typeof INVOICE) =>
      describeExchanges(exchanges, { today: TODAY }).map(({ day, time }) => `${day} ${time}`);
    expect(when(INVOICE)).to.deep.equal([' 09:14', ' 11:05']);
    expect(when([...INVOICE.slice(0, 1), earlier])).to.deep.equal(['Fri 20 Nov 09:14', 'Wed 18 Nov 17:52']);
    const under = (day: string) => describeExchanges([earlier], { today: TODAY, day }).map(one => one.day);
    expect(under('2026-11-18')).to.deep.equal(['']);
    expect(under('2026-11-19')).to.deep.equal(['Wed 18 Nov']);
  });

  it('is, in one line, its greatest news, not its last words, naming only the user and members of a group', () => {
    const order = said('Anna', 'we take the hundred sensors then', { messageId: '31' });
    const exchanges = [exchange(order), exchange(said('Anna', 'no urge with the rest though', { messageId: '32' }))];
    const keptLines = [
      { messageId: '31', score: 140 },
      { messageId: '32', score: 20 },
    ];
    const lines = chooseKeyLines(exchanges, { isGroup: false, keptLines });
    expect(lines.map(lineText)).to.deep.equal(['we take the hundred sensors then']);
    expect(chooseKeyLines(exchanges, { isGroup: true, keptLines })[0]?.who).to.equal('Anna');
    const earlier = exchange(said('Tomasz', 'hello', { day: '2026-11-18', time: '17:52' }));
    expect(key(...INVOICE.slice(0, 1), earlier)).to.equal(
      'can you put the PO number on it, 44817 ↳ You: 📎 INV-2026-031_rev.pdf ✓',
    );
    expect(key()).to.equal('');
  });

  it('has a short answer with its question, and what can be read alone without a lone yes', () => {
    const yes = said('Tomasz', 'yes, friday');
    expect(key(...INVOICE)).to.equal('You: are the two tags in hall B back? ↳ yes both green since 8');
    expect(key(exchange(said('You', 'lunch at the same place as always, at half past twelve?'), yes))).to.equal(
      'You: lunch at the same place as always, at half past twelve?',
    );
    const photo = said('You', '', { attachment: { kind: 'photo', name: '' } });
    expect(key(exchange(photo, yes))).to.equal('yes, friday');
  });

  it('says how a matter that is over ended, however short that is', () => {
    const asked = said('Tomasz', 'can you do five percent on it?');
    const over = (...lines: (typeof asked)[]) => key({ ...exchange(asked, ...lines), isOver: true });
    expect(over(said('You', 'no, sorry'))).to.equal('can you do five percent on it? ↳ You: no, sorry');
    expect(over(said('You', 'done', { isDone: true }))).to.equal('can you do five percent on it? ✓');
  });
});
