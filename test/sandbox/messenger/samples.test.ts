import { expect } from 'chai';
import { Temporal } from 'temporal-polyfill';
import { withDays } from '../../../sandbox/messenger/samples/calendar.ts';
import { sampleWorld } from '../../../sandbox/messenger/samples.ts';
import type { WorldMessage } from '../../../sandbox/messenger/world.ts';

const EVENING = new Date('2026-11-18T20:00:00Z');
const DAY_SECONDS = 86_400;
/** Numbers that the regulators of these countries keep free for films and books. */
const FICTIONAL_PHONE =
  /^\+(4917139200\d\d|493023125\d{3}|4940669\d{5}|4989999\d{5}|492214710\d{3}|447700900\d{3}|336399800\d\d|467017406\d\d|61491570\d{3})$/;

const world = sampleWorld(EVENING);
const dialogs = new Set(world.dialogs.map(({ key }) => key));
const soFar = world.dialogs.flatMap(({ messages }) => messages);
const toCome = world.nextDays.flat();

/** The messages of each dialog from the first to the last that is still to come. */
function wholeStory(): [string, WorldMessage[]][] {
  return world.dialogs.map(({ key, messages }) => {
    const later = toCome.filter(batch => batch.dialogKey === key).flatMap(batch => batch.messages);
    return [key, [...messages, ...later]];
  });
}

describe('The sample account', () => {
  it('belongs to Lena Hartmann, who has a phone and a password', () => {
    expect(world.owner).to.include({ firstName: 'Lena', lastName: 'Hartmann', phone: '+491713920012' });
    expect(world).to.include({ key: 'sample', password: 'forenoon-demo' });
  });

  it('has a dialog for a user or a chat that exists, each once', () => {
    const peers = [
      ...world.users.map(({ id }) => `user:${id}`),
      ...world.chats.map(({ id, kind }) => `${kind === 'group' ? 'chat' : 'channel'}:${id}`),
    ];
    expect(dialogs).to.have.property('size', world.dialogs.length);
    expect(peers).to.include.members([...dialogs, ...toCome.map(({ dialogKey }) => dialogKey)]);
    expect(new Set(world.users.map(({ id }) => id))).to.have.property('size', world.users.length);
  });

  it('knows the sender of every message, and only channel posts have none', () => {
    const users = new Set(world.users.map(({ id }) => id));
    const channels = world.chats.filter(({ kind }) => kind === 'channel').map(({ id }) => `channel:${id}`);
    for (const [key, messages] of wholeStory()) {
      for (const { from } of messages) {
        if (channels.includes(key)) expect(from).to.equal(null);
        else expect(users.has(from ?? 0), `sender ${from} in ${key}`).to.equal(true);
      }
    }
  });

  it('lets only the two of them write in a private chat', () => {
    for (const [key, messages] of wholeStory().filter(([key]) => key.startsWith('user:'))) {
      const writers = [world.owner.id, Number(key.slice('user:'.length))];
      for (const { from } of messages) expect(writers, key).to.include(from);
    }
  });

  it('counts ids up with the date: one counter for private chats and groups, one for each other', () => {
    const isShared = (key: string) => !key.startsWith('channel:');
    const shared = wholeStory().flatMap(([key, messages]) => (isShared(key) ? messages : []));
    const own = wholeStory().filter(([key]) => !isShared(key));
    for (const counter of [shared, ...own.map(([, messages]) => messages)]) {
      const byId = counter.toSorted((a, b) => a.id - b.id);
      expect(new Set(byId.map(({ id }) => id))).to.have.property('size', counter.length);
      expect(byId.map(({ date }) => date)).to.deep.equal(counter.map(({ date }) => date).sort((a, b) => a - b));
    }
    for (const [key, messages] of wholeStory()) {
      expect(
        messages.map(({ id }) => id),
        key,
      ).to.deep.equal(messages.map(({ id }) => id).sort((a, b) => a - b));
    }
  });

  it('answers only earlier messages of the same conversation', () => {
    let answers = 0;
    for (const [, messages] of wholeStory()) {
      for (const message of messages.filter(({ replyTo }) => replyTo !== null)) {
        answers += 1;
        expect(messages.find(({ id }) => id === message.replyTo)?.date).to.be.below(message.date);
      }
    }
    expect(answers).to.be.above(5);
  });

  it('uses only phone numbers that are kept free for fiction', () => {
    for (const { phone } of world.users) if (phone !== null) expect(phone).to.match(FICTIONAL_PHONE);
  });

  for (const hour of ['00:00', '05:30', '12:00', '17:00', '17:33', '18:36', '23:59']) {
    it(`ends before now, no more than a day and a half earlier, when it is ${hour} of a day in any season`, () => {
      for (const day of ['2026-11-18', '2026-03-29', '2026-10-25', '2027-01-01']) {
        const now = new Date(`${day}T${hour}:00Z`).getTime() / 1000;
        const { dialogs } = sampleWorld(new Date(now * 1000));
        const latest = Math.max(...dialogs.flatMap(({ messages }) => messages.map(({ date }) => date)));
        expect(latest, day).to.be.at.most(now);
        expect(latest, day).to.be.above(now - 1.5 * DAY_SECONDS);
      }
    });
  }
});

describe('The sample conversations', () => {
  it('are written in many scripts, and so are the names', () => {
    const scripts = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Han', 'Hiragana'];
    for (const script of scripts) {
      const letters = new RegExp(`\\p{Script=${script}}{2}`, 'u');
      expect(
        soFar.some(({ text }) => letters.test(text)),
        script,
      ).to.equal(true);
    }
    expect(world.users.some(({ firstName }) => /\p{Script=Hebrew}/u.test(firstName))).to.equal(true);
    expect(world.users.some(({ lastName }) => /\p{Extended_Pictographic}/u.test(lastName))).to.equal(true);
  });

  it('include one that tries to instruct whoever summarizes it', () => {
    const attempt = soFar.filter(({ text }) => /ignore the above|<script>|<system>/i.test(text));
    expect(attempt).to.have.length.at.least(3);
    expect(new Set(attempt.map(({ from }) => from))).to.have.property('size', 1);
  });

  it('name days as words that fit the day they were written', () => {
    const wednesday = Temporal.PlainDate.from('2026-11-18');
    expect(withDays('by {weekday +2 en}', wednesday)).to.equal('by Friday');
    expect(withDays('bis {weekday +3 de} oder {date +5 de}', wednesday)).to.equal('bis Montag oder 23. November');
    expect(withDays('war {weekday -3 de}', wednesday)).to.equal('war Freitag');
    expect(withDays('{lower +2 en}, {short +6 en}, {digits +8 de}', wednesday)).to.equal('friday, tue, 26.11.');
    const texts = [...soFar, ...toCome.flatMap(({ messages }) => messages)].map(({ text }) => text);
    expect(texts.filter(text => /\{\w+ [+-]/.test(text))).to.deep.equal([]);
  });
});

describe('The days still to come', () => {
  it('are three, each moving 10 to 25 conversations', () => {
    expect(world.nextDays).to.have.length(3);
    for (const day of world.nextDays) {
      expect(day).to.have.length.within(10, 25);
      for (const { messages } of day) expect(messages).to.not.have.length(0);
    }
  });

  it('follow the story and each other', () => {
    const ends = [soFar, ...world.nextDays.map(day => day.flatMap(({ messages }) => messages))].map(messages => ({
      first: Math.min(...messages.map(({ date }) => date)),
      last: Math.max(...messages.map(({ date }) => date)),
    }));
    for (const [place, { first }] of ends.entries()) {
      if (place > 0) expect(first).to.be.above(ends[place - 1]?.last ?? Number.POSITIVE_INFINITY);
    }
  });
});
