import { expect } from 'chai';
import type { Exchange } from '../../../../src/clients/summarizer/types.ts';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { dialog, firstMessageAt, message, owner, person, world } from '../../../support/worlds.ts';

const ANNA = person(2001, { firstName: 'Anna', lastName: 'Weber', username: 'annaweber' });
const ASK = 'Could you please send me the signed contract by Friday?';
const ASIDE = 'The cat of our neighbours has had three kittens in the garden shed.';
const DAY = 24 * 3600;

/** Over four days, a year ago. */
function talk() {
  const texts = [ASIDE, 'We have moved the desks.', ASK, 'I will send it on Friday.'];
  const messages = texts.map((text, n) =>
    message(11 + n, { from: n === 3 ? owner.id : ANNA.id, text, date: firstMessageAt + n * DAY }),
  );
  return world({ users: [ANNA], dialogs: [dialog(`user:${ANNA.id}`, messages)] });
}

describe('The sources of a digest', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds: [talk()] });
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  after(stopServices);

  const newest = () => service.db('digests').first();
  const html = async () => (await nora.get(`/conversations/${(await newest()).dialog_id}`).expect(200)).text;

  it('are stored by a sync: ids, who and when, but not what the messages say', async () => {
    const { sources, first_message_at } = await newest();
    const asked = { id: '13', sender: 'Anna Weber', senderId: 'user:2001', fromUser: false };
    expect(sources.messages).to.deep.include({
      ...asked,
      sentAt: new Date((firstMessageAt + 2 * DAY) * 1000).toISOString(),
    });
    expect(JSON.stringify(sources)).not.to.match(/kittens|contract|desks/);
    expect(first_message_at).to.deep.equal(new Date(firstMessageAt * 1000));
  });

  it('are shown on the page of the conversation, at the promises and on the days they belong to', async () => {
    const text = await html();
    expect(wordsOf(text)).to.match(/Anna Weber ?, Sat 11 Oct 2025, \d\d:\d\d/);
    expect(wordsOf(text)).to.include('since 9 Oct 2025').and.include('Open chat in Telegram');
  });

  it('leave the answers of the API as they are', async () => {
    const { digests } = (await nora.get('/api/digests').expect(200)).body;
    expect(digests[0].structuredData.action_items[0].sourceMessageIds).to.include('13');
    expect(JSON.stringify(digests)).not.to.include('sentAt').and.not.to.include('sentences');
  });

  it('are shown at each line of a digest in people’s own words', async () => {
    const { id, structured } = await newest();
    const lines = structured.exchanges.flatMap(({ opener, answers }: Exchange) => [opener, ...answers]);
    const text = await html();
    expect(text.match(/<a class="sent"/g)).to.have.length(lines.length);
    expect(text).to.match(new RegExp(`<a class="sent" href="#s-${id}-1">`));
    expect(text).to.match(new RegExp(`<div class="from" id="s-${id}-1"`));
    expect(wordsOf(text)).to.include('Tap a line to see its source');
    expect((await nora.get('/today').expect(200)).text).to.include(`id="s-${id}-1"`);
  });
});
