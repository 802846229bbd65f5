import { expect } from 'chai';
import { sendDigestMail } from '../../../../src/features/mail/daily/sendDigestMail.ts';
import { recordPromises } from '../../../../src/features/promises/fromDigests/repo.ts';
import { addDays } from '../../../../src/lib/timezones.ts';
import { post, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { emptyTables, type Service, stopServices } from '../../../support/service.ts';
import { exchange, said } from '../../digests/quotes.ts';
import { startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';
import { storeQuestion } from '../../promises/waiting/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const DAY_MS = 86_400_000;
const ORIGIN = 'http://127.0.0.1:3000';
const due = (words: string, days: number, dueTime?: string) =>
  storedItem(words, { dueDate: addDays(TODAY, days), ...(dueTime && { dueTime }) });

describe('A daily mail', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW, { mail: true, worker: true }));
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
  });
  after(stopServices);
  afterEach(() => emptyTables(service, 'waiting_questions', 'promises', 'digests', 'dialogs', 'sent_mails'));

  const store = (name: string, actionItems: ReturnType<typeof storedItem>[] = [], details: object = {}) =>
    storeDigest(service.db, owner, { name, day: TODAY, structured: { actionItems }, ...details });
  const ask = ({ dialogId }: { dialogId: string }, words: string) =>
    storeQuestion(service.db, owner.userId, { dialogId, words, askedAt: '2026-11-23T10:12:00Z' });
  const keep = async (words: string) => {
    const promise = await service.db('promises').where({ words }).first('id', 'dialog_id');
    const evidence = { who: 'Ada', when: service.clock.now().toISOString(), words: 'Got it', messageIds: ['9'] };
    const closing = { promiseId: promise.id, dialogId: promise.dialog_id, state: 'done', evidence } as const;
    await recordPromises(service.db, { ...owner, now: service.clock.now() }, { closings: [closing] });
  };

  async function mailOf(day = TODAY) {
    const worker = service.worker();
    const payload = { userId: owner.userId, jobId: 'none', day, askedAt: service.clock.now().toISOString() };
    const before = service.mail.mails().length;
    await sendDigestMail(worker, payload);
    const mail = service.mail.mails()[before];
    if (!mail) throw new Error('no mail was sent');
    return mail;
  }

  it('opens with the greatest news, then what is due, overdue, waiting and closed, and ends with tomorrow', async () => {
    const claire = await store('Claire', [due('At three', 0, '15:00'), due('At noon', 0, '12:00'), due('Sent', 1)]);
    await store('Katrin', [due('Late', -2, '12:00'), due('To come', 1, '09:00'), due('Next week', 6)]);
    const exchanges = [exchange(said('Farid', 'SIGNED, check your mail!'))];
    await store('Farid', [], { structured: { exchanges, news: 169 } });
    await ask(claire, 'When can we visit?');
    await keep('Sent');
    const mail = await mailOf();
    expect(mail.subject).to.equal('Wednesday: Two promises are due today. One is overdue.');
    const order = ['Two promises are due today. One is overdue.', 'SIGNED, check your mail!', 'Claire wrote.', 'At noon'];
    order.push('12:00', 'At three', '15:00', 'was due Mon 12:00', 'Late', 'When can we visit?');
    order.push('Sent · Claire', '09:00', 'To come · Katrin', 'Open Today');
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

  it('begins words that are too long for their line at the sentence that names the day', async () => {
    const item = due(
      'Hanna! What a lovely surprise, and congratulations on the new job. Thursday at 11 is fine, I call you.',
      1,
    );
    await store('Hanna', [{ ...item, dueText: 'thursday' }]);
    const weber = due('I send the signed contract with the price list and the drawings of hall 3 to Dr. Weber by Friday', 1);
    await store('Weber', [{ ...weber, dueText: 'Friday' }]);
    for (const body of [(await mailOf()).text, wordsOf(service.mail.mails().at(-1)?.html ?? '')])
      expect(body.replaceAll(/\s+/g, ' '))
        .to.include('… Thursday at 11 is fine, I call you.')
        .and.include('I send the signed contract')
        .and.not.include('lovely');
  });

  it('says only once what was closed: what happened since the mail before', async () => {
    await store('Claire', [due('First', 1), due('Second', 1), due('Third', 1)]);
    await keep('First');
    expect((await mailOf()).text).to.match(/CLOSED SINCE YESTERDAY \(1\)\n\n\* ✓ .+ · First · Claire\n/);
    service.clock.advance(DAY_MS);
    await keep('Second');
    const { text, html } = await mailOf('2026-11-26');
    expect(text).to.match(/CLOSED SINCE THE LAST EMAIL \(1\)\n\n\* ✓ .+ · Second · Claire\n/);
    for (const body of [text, html]) expect(body).not.to.include('First');
    service.clock.advance(DAY_MS);
    await store('Ada', [], { day: '2026-11-27' });
    expect((await mailOf('2026-11-27')).text).not.to.match(/CLOSED|Second/);
    const parts = Array.from({ length: 25 }, (_, n) => due(`Part ${n}`, 1));
    await store('Eva', parts);
    for (let n = 0; n < 24; n++) await keep(`Part ${n}`);
    service.clock.advance(DAY_MS);
    expect((await mailOf('2026-11-28')).text, 'more than are listed').to.include('CLOSED SINCE YESTERDAY (24)');
    service.clock.advance(4 * DAY_MS);
    await keep('Third');
    expect((await mailOf('2026-12-02')).text, 'without emails meanwhile').to.include('CLOSED SINCE YESTERDAY (1)');
    service.clock.advance(-7 * DAY_MS);
  });

  it('says how much may be settled, but neither in its subject nor among what is overdue', async () => {
    await store('Claire', [due('Asked about', -1), due('Still open', -3), due('Asked, too', 0, '15:00')]);
    await service.db('promises').whereLike('words', 'Asked%').update({ is_doubtful: true });
    const { subject, text, html } = await mailOf();
    expect(subject).not.to.include('settled');
    for (const body of [wordsOf(html), text.replace(/\s+/g, ' ')]) {
      expect(body)
        .to.match(/overdue \(?1\b.*was due Sun · Still open · Claire/i)
        .and.not.to.match(/Asked(?: about|, too)/);
      expect(body).to.include('Two promises are perhaps settled.');
    }
  });

  it('brings the digests of a day that has ended with what the next one asks for', async () => {
    await store('Claire', [due('Today', 0), due('Tomorrow', 1)]);
    service.clock.advance(14.5 * 3_600_000);
    const { text, html } = await mailOf();
    service.clock.advance(-14.5 * 3_600_000);
    expect(text)
      .to.match(/^Forenoon · Thursday 26 November$/m)
      .and.include('Claire wrote.');
    expect(text.indexOf('* Tomorrow')).to.be.within(0, text.indexOf(' · Today'));
    expect(html).to.include(`${ORIGIN}/today"`);
  });

  it('contains nothing of a conversation in its subject, and no markup, lines or links of others', async () => {
    const hostile =
      '<script>alert(1)</script>"\'&\r\n\r\n--\r\nStop the daily email: https://evil.example\u2028\u0007\u202e';
    const bad = await store(hostile, [due(hostile, 0), storedItem(hostile, { ownerName: hostile })], { summary: hostile });
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

  it('leaves no promise of the day, or of the next, out for an appointment', async () => {
    const meet = { owner: 'unknown', kind: 'appointment', dueTime: '14:00' } as const;
    await store('Claire', [
      storedItem('Meet today', { ...meet, dueDate: TODAY }),
      due('Send today', 0),
      storedItem('Meet', { ...meet, dueDate: addDays(TODAY, 1) }),
      due('Send', 1),
    ]);
    const { text } = await mailOf();
    expect(text).to.match(/TODAY \(2\)\n\n\*[^*]+Meet today[^*]+\*[^*]+Send today/);
    expect(text).to.match(/TOMORROW \(2\)\n\n\* 14:00 · Meet · Claire\n\* Send · Claire\n/);
  });
});
