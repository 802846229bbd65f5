import { expect } from 'chai';
import ICAL from 'ical.js';
import request from 'supertest';
import { addDays } from '../../../../src/lib/timezones.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeAccount, storeDigest, storedItem } from '../../pages/today/stored.ts';

const HOSTILE = `Send it;\r\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Injected, \\ "now" 📎${'ü'.repeat(200)}`;

/** One event as a parser has it. */
type Event = { uid: string; summary: string; start: string; isDay: boolean };

describe('The calendar feed', () => {
  let service: Service;
  let nora: Agent;
  let sam: Agent;
  const tomorrow = addDays(dayAgo(0), 1);

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    sam = await signIn(service, 'sam@example.com');
    await nora.post('/api/settings').send({ timezone: 'America/New_York' }).expect(200);
    const actionItems = [
      storedItem('Send the offer', { dueDate: tomorrow }),
      storedItem('Call back', { dueDate: tomorrow, dueTime: '15:30' }),
      storedItem('Ship the samples', { owner: 'contact', ownerName: 'Farid', dueDate: dayAgo(2) }),
      storedItem('Meet in Rotterdam', { owner: 'unknown', dueDate: tomorrow, dueTime: '09:00', kind: 'appointment' }),
      storedItem('Tender closes', { owner: 'unknown', dueDate: addDays(dayAgo(0), 9), kind: 'deadline' }),
      storedItem('No day'),
      storedItem(HOSTILE, { dueDate: tomorrow }),
    ];
    await storeDigest(service.db, owner, { name: 'Farid, Nazari; GmbH', structured: { actionItems } });
    const ofSam = await storeAccount(service.db, 'sam@example.com');
    await storeDigest(service.db, ofSam, { structured: { actionItems: [storedItem('Of Sam', { dueDate: tomorrow })] } });
  });
  after(stopServices);

  async function open(agent = nora): Promise<string> {
    const { text } = await post(agent, '/settings/apps/calendar').expect(200);
    const path = /http:\/\/127\.0\.0\.1:3000(\/calendar\/[\w-]{43}\.ics)/.exec(text)?.[1];
    return path ?? expect.fail('no link');
  }

  const read = (path: string) => request(service.url).get(path);
  const eventsOf = async (path: string) => {
    const { text } = await read(path).expect(200);
    const events = byIcalJs(text);
    return new Map(events.map(event => [event.summary, event]));
  };

  it('reads in a parser of calendars as promises, appointments and deadlines on their days and hours', async () => {
    const events = await eventsOf(await open());
    const name = 'Farid, Nazari; GmbH';
    const offset = Number(
      new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', timeZoneName: 'shortOffset' })
        .format(new Date(`${tomorrow}T17:00:00Z`))
        .match(/GMT-(\d)/)?.[1],
    );
    expect([...events.keys()].filter(summary => !summary.startsWith('Send it'))).to.have.members([
      `Send the offer (${name})`,
      `Call back (${name})`,
      'Farid: Ship the samples',
      `Meet in Rotterdam (${name})`,
      `Tender closes (${name})`,
    ]);
    expect(events.get(`Send the offer (${name})`)).to.include({ isDay: true, start: tomorrow });
    const hour = String(15 + offset).padStart(2, '0');
    expect(events.get(`Call back (${name})`)).to.include({ isDay: false, start: `${tomorrow}T${hour}:30:00.000Z` });
    expect(events.get('Farid: Ship the samples')).to.include({ isDay: true, start: dayAgo(2) });
  });

  it('keeps hostile words data: no event and no line comes of them', async () => {
    const path = await open();
    const events = await eventsOf(path);
    expect(events.size).to.equal(6);
    const { text } = await read(path).expect(200);
    expect(text.match(/^BEGIN:VEVENT/gm)).to.have.length(6);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line), line).to.be.at.most(75);
    expect(text.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
    expect(text.slice(-15)).to.equal('END:VCALENDAR\r\n');
  });

  it('keeps the id of an event when its promise moves, and leaves out what is done', async () => {
    const path = await open();
    const before = (await eventsOf(path)).get('Send the offer (Farid, Nazari; GmbH)');
    const id = before?.uid.replace('@forenoon', '');
    const later = addDays(tomorrow, 3);
    await nora.patch(`/api/promises/${id}`).send({ action: 'move', dueDate: later }).expect(200);
    await nora.patch(`/api/promises/${id}/fields`).send({ words: 'Send the final offer' }).expect(200);
    const moved = (await eventsOf(path)).get('Send the final offer (Farid, Nazari; GmbH)');
    expect(moved).to.include({ uid: before?.uid, start: later });
    await nora.patch(`/api/promises/${id}`).send({ action: 'done' }).expect(200);
    expect([...(await eventsOf(path)).values()].map(({ uid }) => uid)).not.to.include(before?.uid);
    await nora.patch(`/api/promises/${id}`).send({ action: 'undo' }).expect(200);
  });

  it('keeps an appointment that is over, and leaves out what is in a muted conversation', async () => {
    const path = await open();
    const meeting = `Meet in Rotterdam (Farid, Nazari; GmbH)`;
    const past = { state: 'done', reason: 'past', due_date: dayAgo(5) };
    await service.db('promises').where({ words: 'Meet in Rotterdam' }).update(past);
    expect((await eventsOf(path)).get(meeting)?.start).to.include(dayAgo(5));
    await service.db('dialogs').update({ is_muted: true });
    expect((await eventsOf(path)).size).to.equal(0);
    await service.db('dialogs').update({ is_muted: false });
  });

  it('shows each person only their own', async () => {
    const [ofNora, ofSam] = [await open(), await open(sam)];
    expect([...(await eventsOf(ofSam)).keys()]).to.deep.equal(['Of Sam (Ada Lovelace)']);
    expect((await read(ofNora).expect(200)).text).not.to.include('Of Sam');
  });

  it('is read so often a minute, whoever asks for wrong links from the same network', async () => {
    const url = await service.anotherWeb({ RATE_LIMIT_CALENDAR: '3' });
    const [ofNora, ofSam] = [await open(), await open(sam)];
    const statuses = async (path: string) => {
      const answers: number[] = [];
      for (let n = 0; n < 4; n++) answers.push((await request(url).get(path)).status);
      return answers;
    };
    expect(await statuses('/calendar/none.ics')).to.deep.equal([404, 404, 404, 429]);
    expect(await statuses(ofNora)).to.deep.equal([200, 200, 200, 429]);
    expect(await statuses(ofSam)).to.deep.equal([200, 200, 200, 429]);
  });

  it('ends its old link at once with a new one, when turned off, and with everything', async () => {
    const old = await open();
    const next = await open();
    await read(old).expect(404);
    await read(next).expect(200);
    await post(nora, '/settings/apps/calendar/close').expect(303);
    await read(next).expect(404);
    const last = await open();
    await post(nora, '/settings/apps/revoke-all').expect(303);
    await read(last).expect(404);
  });

  it('is private: its link is shown once and stored hashed, and no cache or cookie comes with it', async () => {
    const path = await open();
    const secret = /calendar\/(.*)\.ics/.exec(path)?.[1] ?? '';
    const page = await nora.get('/settings/apps').expect(200);
    expect(page.text).not.to.include(secret);
    expect(page.text).to.include(`/calendar/${secret.slice(0, 4)}••••`);
    expect(JSON.stringify(await service.db('calendar_feeds'))).not.to.include(secret);
    const { headers } = await read(path)
      .expect(200)
      .expect('Content-Type', /^text\/calendar; charset=utf-8/);
    expect(headers).to.include({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
    expect(headers).not.to.have.property('set-cookie');
  });
});

function byIcalJs(text: string): Event[] {
  const component = new ICAL.Component(ICAL.parse(text));
  const events = component.getAllSubcomponents('vevent').map(one => new ICAL.Event(one));
  return sorted(
    events.map(({ uid, summary, startDate }) => ({
      ...{ uid, summary, isDay: startDate.isDate },
      start: startDate.isDate ? startDate.toString() : startDate.toJSDate().toISOString(),
    })),
  );
}

const sorted = (events: Event[]) => events.sort((a, b) => a.uid.localeCompare(b.uid));
