import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { type Line, writeLines } from '../../../support/writeLines.ts';

const ANNA = 2001;
const KEY = `user:${ANNA}`;
const DAY = 24 * 3600 * 1000;

describe('A promise that sounds settled on a later day', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const talk = [message(1, { from: ANNA, text: 'Good morning, the samples arrived on Tuesday.' })];
    service = await startService({ worlds: [world({ users: [person(ANNA)], dialogs: [dialog(KEY, talk)] })] });
    nora = await connectedNora(service);
    await syncNow(nora);
    await nextDay(
      [ANNA, 'Could you send me the signed contract today?'],
      [owner.id, "Sure, I'll send it this afternoon"],
    );
  });
  afterEach(stopServices);

  async function nextDay(...lines: Line[]): Promise<void> {
    service.clock.advance(DAY);
    writeLines(service, KEY, lines);
    await syncNow(nora);
  }
  const today = async () => wordsOf((await nora.get('/today').expect(200)).text);

  it('is as of when it was last read, as the page says in the morning', async () => {
    expect(await today()).not.to.include('Last read');
    service.clock.advance(DAY);
    expect(await today()).to.match(/Last read yesterday at \d\d:\d\d\./);
  });
});
