import { expect } from 'chai';
import { sendDigestMail } from '../../../../src/features/mail/daily/sendDigestMail.ts';
import { applyClosings } from '../../../../src/features/promises/fromDigests/repo.ts';
import { dayAfter } from '../../../../src/lib/timezones.ts';
import { headlineOf, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { exchange, INVOICE, said } from '../../digests/quotes.ts';
import { storeAccount, storeDigest, storedItem } from '../../pages/today/stored.ts';
import { storeQuestion } from '../../promises/waiting/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const DAY_MS = 86_400_000;
const NORA = 'nora@example.com';
const ORIGIN = 'http://127.0.0.1:3000';
const due = (words: string, days: number, dueTime?: string) =>
  storedItem(words, { dueDate: dayAfter(TODAY, days), ...(dueTime && { dueTime }) });
const several = (count: number, make: (n: number) => ReturnType<typeof storedItem>) =>
  Array.from({ length: count }, (_, n) => make(n));

describe('A daily mail', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    service = await startService({ mail: true });
    service.clock.advance(NOW.getTime() - Date.now());
    nora = await signIn(service, NORA);
    owner = await storeAccount(service.db, NORA);
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
  });
  after(stopServices);
  afterEach(async () => {
    for (const table of ['waiting_questions', 'promises', 'digests', 'dialogs', 'sent_mails']) {
      await service.db(table).delete();
    }
  });

  const store = (name: string, actionItems: ReturnType<typeof storedItem>[] = [], details: object = {}) =>
    storeDigest(service.db, owner, { name, day: TODAY, structured: { actionItems }, ...details });
  const ask = ({ dialogId }: { dialogId: string }, words: string) =>
    storeQuestion(service.db, owner.userId, { dialogId, words, askedAt: '2026-11-23T10:12:00Z' });
  const today = async () => (await nora.get('/today').expect(200)).text;
  const keep = async (words: string) => {
    const promise = await service.db('promises').where({ words }).first('id', 'dialog_id');
    const evidence = { who: 'Ada', when: service.clock.now().toISOString(), words: 'Got it', messageIds: ['9'] };
    const closing = { promiseId: promise.id, state: 'done', newDueDate: null, evidence } as const;
    await applyClosings(service.db, { userId: owner.userId, dialogId: promise.dialog_id, now: service.clock.now() }, [
      closing,
    ]);
  };

  async function mailOf(day = TODAY) {
    const worker = service.worker();
    const payload = { userId: owner.userId, jobId: 'none', day, askedAt: service.clock.now().toISOString() };
    const before = service.mail.mails().length;
    await sendDigestMail({ ...worker, appUrl: worker.config.appUrl }, payload);
    const mail = service.mail.mails()[before];
    if (!mail) throw new Error('no mail was sent');
    return mail;
  }
  /** A row of the text begins with a star, and has its second line below. */
  const linesOf = (text: string) => text.split('\n').filter(line => /^(\* |! |\d+ )/.test(line));
  const rowsOf = (html: string) => html.match(/class="m-(first|row|brief|notice|caution|line)"/g)?.length ?? 0;

  it('opens with the greatest news, then what is due, overdue, waiting and closed, and ends with tomorrow', async () => {
    const claire = await store('Claire', [due('At three', 0, '15:00'), due('At noon', 0, '12:00'), due('Sent', 1)]);
    await store('Katrin', [due('Late', -2, '12:00'), due('To come', 1, '09:00'), due('Next week', 6)]);
    const exchanges = [exchange(said('Farid', 'SIGNED, check your mail!'))];
    await store('Farid', [], { structured: { exchanges, news: 169 } });
    await ask(claire, 'When can we visit?');
    await keep('Sent');
    const mail = await mailOf();
    expect(mail.subject).to.equal('Wednesday: Two promises are due today. One is overdue.');
    const order = [
      'Two promises are due today. One is overdue.',
      'SIGNED, check your mail!',
      'Claire wrote.',
      'At noon',
    ];
    order.push('12:00', 'At three', '15:00', 'was due Mon 12:00', 'Late', 'When can we visit?');
    order.push('Claire: Sent', '09:00', 'Katrin: To come', 'Open Today');
    for (const body of [wordsOf(mail.html), mail.text]) {
      const text = body.replaceAll(' :', ':').replace(/^.*?(?=Two promises)/s, '');
      const places = order.map(part => text.indexOf(part));
      expect(places).to.deep.equal(places.toSorted((one, other) => one - other));
      expect(Math.min(...places)).to.be.at.least(0);
      expect(body).not.to.include('Next week');
    }
    expect(mail.html).to.match(/class="m-marker"[^>]*><bdi>15:00<\/bdi><\/span>/);
    expect(mail.html).to.match(/class="m-late"[^>]*><bdi>was due Mon 12:00</);
  });

  it('ends with what is due tomorrow: two rows at most, and how many there are in all', async () => {
    await store(
      'Claire',
      Array.from({ length: 12 }, (_, n) => due(`Sample ${n}`, 1)),
    );
    expect((await mailOf()).text).to.match(/TOMORROW \(12\)\n\n\* Claire: Sample .*\n\* 11 more in your week/);
  });

  it('says only once what was closed: what happened since the mail before', async () => {
    await store('Claire', [due('First', 1), due('Second', 1), due('Third', 1)]);
    await keep('First');
    expect((await mailOf()).text).to.match(/CLOSED SINCE YESTERDAY \(1\)\n\n\* ✓ .+ · Claire: First\n/);
    service.clock.advance(DAY_MS);
    await keep('Second');
    const { text, html } = await mailOf('2026-11-26');
    expect(text).to.match(/CLOSED SINCE THE LAST EMAIL \(1\)\n\n\* ✓ .+ · Claire: Second\n/);
    for (const body of [text, html]) expect(body).not.to.include('First');
    service.clock.advance(DAY_MS);
    await store('Ada', [], { day: '2026-11-27' });
    expect((await mailOf('2026-11-27')).text).not.to.match(/CLOSED|Second/);
    service.clock.advance(-2 * DAY_MS);
  });

  it('says how much may be settled, but neither in its subject nor among what is overdue', async () => {
    await store('Claire', [due('Asked about', -1), due('Still open', -3), due('Asked, too', 0, '15:00')]);
    await service.db('promises').whereLike('words', 'Asked%').update({ is_doubtful: true });
    const { subject, text, html } = await mailOf();
    expect(subject).not.to.include('settled');
    for (const body of [wordsOf(html), text.replace(/\s+/g, ' ')]) {
      expect(body).to.match(/15:00 ?, perhaps settled/);
      expect(body)
        .to.match(/overdue \(?1\b.*was due Sun · Claire ?: Still open/i)
        .and.not.to.include('Asked about');
      expect(body).to.include('One promise is perhaps settled.');
    }
  });

  it('has the numbers of Today', async () => {
    const claire = await store('Claire', [due('One', 0), due('Two', -1), due('Three', -40)]);
    const katrin = await store('Katrin', [storedItem('Without a day')]);
    await ask(claire, 'When?');
    await ask(katrin, 'Where?');
    const page = await today();
    const mail = await mailOf();
    for (const body of [wordsOf(mail.html), mail.text.replace(/\s+/g, ' ')]) {
      expect(body).to.include(headlineOf(page)).and.include('Two people are waiting for you.');
      expect(body)
        .to.match(/today \(?1\b/i)
        .and.match(/overdue \(?2\b/i)
        .and.match(/waiting for you \(?2\b/i)
        .and.match(/what changed \(?2\b/i);
    }
    expect(wordsOf(page)).to.include('Today 3').and.include('Waiting for you 2').and.include('Two people are waiting');
  });

  it('has twelve lines at most, the rest behind links to Today', async () => {
    await store('Claire', [...several(9, n => due(`Late ${n}`, n - 20)), ...several(4, n => due(`Due ${n}`, 0))]);
    for (let n = 0; n < 7; n++) await ask(await store(`Person ${n}`), 'When?');
    await keep('Late 0');
    const { html, text } = await mailOf();
    expect(rowsOf(html)).to.equal(12);
    expect(linesOf(text)).to.have.length(12);
    expect(linesOf(text).filter(line => line.includes('on Today'))).to.deep.equal([
      '* 5 more on Today',
      '* 2 more on Today',
      '* 7 more on Today',
      '* 6 more on Today',
    ]);
    expect(text.match(/^\* Due/gm)).to.have.length(2);
    expect(html).to.match(new RegExp(`<a href="${ORIGIN}/today#due"[^>]*>7 more on Today</a>`));
    expect(Buffer.byteLength(html)).to.be.below(40_000);
  });

  it('shows what is urgent however much is due', async () => {
    await store('Claire', [...several(9, n => due(`Late ${n}`, n - 20))]);
    for (let n = 0; n < 9; n++) await store(`Person ${n}`);
    await store('Farid', [], { structured: { urgency: 'high' }, summary: 'The roof leaks.' });
    const { text, html } = await mailOf();
    expect(text)
      .to.include('* Farid (Urgent): The roof leaks.')
      .and.include('* 3 more on Today')
      .and.include('* 7 more on Today');
    expect(rowsOf(html)).to.equal(12);
  });

  it('quotes what a promise answers, then the words that bind, each on a line', async () => {
    const request = { words: 'could you send the <procedure>?', messageId: '1', who: 'Claire', fromUser: false };
    const said = { id: '2', sender: 'Nora Lind', fromUser: true, sentAt: `${TODAY}T08:00:00Z` };
    const item = { ...due('yes, you have it today', 0), request, sourceMessageIds: ['1', '2'] };
    await store('Claire', [], {
      structured: { actionItems: [item, due('I’ll call', 0)], exchanges: [] },
      sources: { sentences: [], messages: [said] },
    });
    const { text, html } = await mailOf();
    expect(text).to.include(
      '* Claire: could you send the <procedure>?\n  ↳ You: yes, you have it today\n  today · Claire',
    );
    expect(text).to.include('* I’ll call\n');
    expect(wordsOf(html)).to.include(
      'Claire: could you send the &lt;procedure&gt;? ↳ You: yes, you have it today today · Claire',
    );
  });

  it('quotes each digest, with the sign of an answer and that of what was done', async () => {
    await store('Tomasz Wrona', [], { structured: { exchanges: INVOICE.slice(0, 1) }, summary: 'Not this.' });
    const { text, html } = await mailOf();
    expect(text).to.include(
      '* Tomasz Wrona\n  can you put the PO number on it, 44817\n    ↳ You: 📎 INV-2026-031_rev.pdf ✓\n',
    );
    expect(text).to.include('Key lines, chosen on this server').and.not.include('Not this.');
    expect(html).not.to.include('Not this.');
    expect(wordsOf(html).replaceAll(' :', ':')).to.include(
      'can you put the PO number on it, 44817 ↳ You: 📎 INV-2026-031_rev.pdf ✓',
    );
    expect(rowsOf(html)).to.equal(1);
  });

  it('says in one line that nothing is due and no one waits', async () => {
    await store('Ada');
    const { subject, text, html } = await mailOf();
    expect(subject).to.equal('Wednesday: Nothing is due today. No one is waiting for you.');
    for (const body of [text, html]) {
      expect(body).to.include('Nothing is due today. No one is waiting for you.').and.include('Ada wrote.');
    }
    expect(text).not.to.match(/TODAY|WAITING|kept/);
  });

  it('asks for nothing of muted conversations', async () => {
    const loud = await store('Loud', [due('Owed', 0)], {
      structured: { actionItems: [due('Owed', 0)], urgency: 'high' },
    });
    await ask(loud, 'When?');
    await store('Ada');
    await service.db('dialogs').where({ peer_name: 'Loud' }).update({ is_muted: true });
    const { text, html } = await mailOf();
    for (const body of [text, html]) expect(body).not.to.match(/Loud|Owed|When/);
  });

  it('brings the digests of a day that has ended with what the next one asks for', async () => {
    await store('Claire', [due('Today', 0), due('Tomorrow', 1)]);
    service.clock.advance(14.5 * 3_600_000);
    const { text, html } = await mailOf();
    service.clock.advance(-14.5 * 3_600_000);
    expect(text)
      .to.match(/^Forenoon · Thursday 26 November$/m)
      .and.include('Claire wrote.');
    expect(text.indexOf('* Tomorrow')).to.be.within(0, text.indexOf(' · Claire: Today'));
    expect(html).to.include(`${ORIGIN}/today"`);
  });

  it('contains nothing of a conversation in its subject, and no markup, lines or links of others', async () => {
    const hostile =
      '<script>alert(1)</script>"\'&\r\n\r\n--\r\nStop the daily email: https://evil.example\u2028\u0007\u202e';
    const bad = await store(hostile, [due(hostile, 0), storedItem(hostile, { ownerName: hostile })], {
      summary: hostile,
    });
    await ask(bad, hostile);
    const { subject, html, text, headers } = await mailOf();
    expect(subject).to.equal('Wednesday: One promise is due today.');
    expect(headers.map(({ name }) => name.toLowerCase())).not.to.include('stop the daily email');
    expect(html).not.to.include('<script').and.not.include('"\'&').and.not.include('\u202e');
    expect(html.match(/&lt;script&gt;/g)?.length).to.be.at.least(4);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => new URL(href).origin);
    expect(new Set(links)).to.deep.equal(new Set([ORIGIN]));
    expect(text.match(/^--$/gm)).to.have.length(1);
    expect(text.match(/^Stop the daily email/gm)).to.have.length(1);
    const preheader = html.match(/display:none[^>]*>([^&]*)/)?.[1] ?? '';
    expect(preheader.trim()).to.match(/^One person is waiting for you\. 1 digest/);
  });

  it('isolates right-to-left names, and cuts long texts to a line', async () => {
    const long = 'Экспорт на их склад не работает со среды. '.repeat(30);
    const ahmad = await store('أحمد الشريف', [due('يرسل العرض', 0)], { summary: long });
    await ask(ahmad, long);
    const { html, text } = await mailOf();
    expect(html)
      .to.include('<bdi>أحمد الشريف</bdi>')
      .and.match(/dir="auto">يرسل العرض</);
    expect(text.match(/Экспорт[^…]*…/g)).to.have.length(2);
    expect(text.length).to.be.below(1800);
  });
});
