import { expect } from 'chai';
import request from 'supertest';
import { sendWeekMail } from '../../../../src/features/mail/weekly/service.ts';
import { addDays } from '../../../../src/lib/timezones.ts';
import { wordsOf } from '../../../support/pages.ts';
import { emptyTables, stopServices } from '../../../support/service.ts';
import { headerOf } from '../../pages/today/mailing.ts';
import { storeQuestion } from '../../promises/waiting/stored.ts';
import { due, FRIDAY, MONDAY, startWeekly, type Weekly } from './weekly.ts';

const ORIGIN = 'http://127.0.0.1:3000';

describe('What a mail of a week says', () => {
  let week: Weekly;
  before(async () => {
    week = await startWeekly();
    await week.choose(FRIDAY, 16).expect(303);
  });
  after(stopServices);
  afterEach(() => emptyTables(week.service, 'waiting_questions', 'promises', 'digests', 'dialogs', 'sent_mails'));

  const ask = ({ dialogId }: { dialogId: string }, words: string) =>
    storeQuestion(week.service.db, week.nora.userId, { dialogId, words, askedAt: '2026-11-23T08:12:00Z' });
  const page = async (path = '/week') => wordsOf((await week.nora.agent.get(path).expect(200)).text);
  async function mailOf(monday = MONDAY) {
    const worker = week.service.worker();
    const payload = { userId: week.nora.userId, monday, askedAt: week.service.clock.now().toISOString() };
    const sent = week.mails().length;
    await sendWeekMail(worker, payload);
    const mail = week.mails()[sent];
    if (!mail) throw new Error('no mail was sent');
    return mail;
  }

  it('counts in its subject as in its headline while more is due', async () => {
    await week.goTo('2026-11-25T16:00:00Z');
    await week.store('Claire', [due('The price list', 0), due('The drawings', 1), due('A visit', 3)]);
    await week.keep('The drawings');
    const { subject, text } = await mailOf();
    expect(subject).to.equal('Your week: 1 of 2 promises kept so far, 1 past its day, 3 new');
    expect(text).to.include('Kept so far this week: 1 of 2 promises.');
  });

  it('is what was kept, what is past its day, who waits, what moved and what is next, in the numbers of its page', async () => {
    await week.goTo('2026-11-27T16:00:00Z');
    const claire = await week.store('Claire', [due('The price list', 1), due('The drawings', 2), due('A visit', 8)], {
      ...{ summary: 'Papers were sent. More follows.', messageCount: 46 },
    });
    await week.store('Katrin', [due('Last month', -30)], { day: addDays(MONDAY, -31) });
    await ask(claire, 'Is the case study public?');
    await week.keep('The drawings');
    await week.service.db('promise_read_markers').delete();
    week.service.mail.faults.next({ status: 451 });
    expect(await mailOf().catch(({ kind }) => kind)).to.equal('temporary');
    const seen = async () => Number((await week.service.db('promise_read_markers').first())?.last_seen_number ?? 0);
    expect(await seen()).to.equal(0);
    const { subject, text, html } = await mailOf();
    expect(await seen()).to.be.greaterThan(0);
    expect(subject).to.equal('Your week: 1 of 2 promises kept, 1 past its day, 3 new, 1 person waiting');
    const order = [
      ...[
        'Week of 23 November',
        'You kept 1 of 2 promises due this week.',
        'One is past its day.',
        'The price list',
        'was due Tue',
      ],
      ...['since Monday 08:12', 'Is the case study public?', '46 messages', 'Papers were sent.', 'A visit', 'Tue 1 Dec'],
      'Open your week',
    ];
    const shown = await page();
    for (const body of [text.replace(/\s+/g, ' '), wordsOf(html)]) {
      expect(order.filter(part => !body.includes(part))).to.deep.equal([]);
      const places = order.map(part => body.lastIndexOf(part));
      expect(places).to.deep.equal(places.toSorted((one, other) => one - other));
      expect(body).not.to.include('Last month');
    }
    for (const one of ['You kept 1 of 2 promises due this week.', 'One is past its day.', 'Three new ones came up.']) {
      expect(shown).to.include(one);
      expect(text.replace(/\s+/g, ' ')).to.include(one);
    }
    expect(html).to.include(`<a href="${ORIGIN}/week"`);
  });

  it('stops with one click, which stops no other mail, and can be resumed', async () => {
    await week.goTo('2026-11-27T16:00:00Z');
    await week.store('Claire', [due('The price list', 1)]);
    await week.nora.agent.post('/settings/mail').type('form').send({ mailDigests: 'ALWAYS' }).expect(303);
    const mail = await mailOf();
    expect(headerOf(mail, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    const { pathname } = new URL(headerOf(mail, 'List-Unsubscribe').replace(/^<|>$/g, ''));
    const stored = async () =>
      week.service.db('sync_configs').where({ user_id: week.nora.userId }).first('mail_digests', 'week_mail');
    const opened = await request(week.service.url).get(pathname).expect(200);
    expect(wordsOf(opened.text)).to.include('Only the weekly email stops, not the daily email.');
    expect(await stored()).to.deep.equal({ mail_digests: 'ALWAYS', week_mail: true });

    const ended = await request(week.service.url)
      .post(pathname)
      .type('form')
      .send('List-Unsubscribe=One-Click')
      .set('Origin', 'https://mail.example')
      .expect(200);
    expect(wordsOf(ended.text)).to.include('The weekly email is off');
    expect(await stored()).to.deep.equal({ mail_digests: 'ALWAYS', week_mail: false });

    const back = await request(week.service.url).post(pathname.replace('unsubscribe', 'resubscribe')).expect(200);
    expect(wordsOf(back.text)).to.include('The weekly email is back on').and.include('Fridays at 16:00, as before.');
    expect(await stored()).to.deep.equal({ mail_digests: 'ALWAYS', week_mail: true });
  });
});
