import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { type WorldLine, writeLines } from '../../../support/writeLines.ts';

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
    await nextDay([ANNA, 'Could you send me the signed contract today?'], [owner.id, "Sure, I'll send it this afternoon"]);
  });
  afterEach(stopServices);

  async function nextDay(...lines: WorldLine[]): Promise<void> {
    service.clock.advance(DAY);
    writeLines(service, KEY, lines);
    await syncNow(nora);
  }
  const wordsAt = async (path: string) => wordsOf((await nora.get(path).expect(200)).text);

  it('is as of when it was last read, as each page says before and while the day’s messages are read', async () => {
    const paths = ['/today', '/promises', '/ask'];
    for (const path of paths) expect(await wordsAt(path)).not.to.include('As of');
    service.clock.advance(DAY);
    await service.db('sync_configs').update({ next_sync_at: service.clock.now(), next_sync_day: '2030-01-01' });
    for (const path of paths)
      expect(await wordsAt(path)).to.match(/As of yesterday \d\d:\d\d\. Today’s digests come at \d\d:\d\d\. Refresh/);
    await service.db('sync_configs').update({ next_sync_at: null, next_sync_day: null });
    const { text: idle } = await nora.get('/promises').expect(200);
    const [, line = ''] = /hx-get="([^"]+line=1)"/.exec(idle) ?? [];
    const follow = () => nora.get(line.replaceAll('&amp;', '&')).set('HX-Request', 'true');
    await follow().expect(204);
    const { id, user_id } = await service.db('sync_jobs').orderBy('created_at', 'desc').first();
    const job = { user_id, kind: 'daily', state: 'active', queue_id: randomUUID(), digest_date: '2030-01-01' };
    const counts = { conversations_total: 40, conversations_done: 12, created_at: service.clock.now() };
    await service.db('sync_jobs').insert({ ...job, ...counts, id: `${id}-next` });
    for (const path of paths)
      expect(await wordsAt(path)).to.match(/As of yesterday \d\d:\d\d\. Reading now: 12 of 40 conversations\./);
    expect(wordsOf((await follow().expect(200)).text)).to.include('Reading now: 12 of 40 conversations.');
    const now = service.clock.now();
    await service
      .db('sync_jobs')
      .where({ id: `${id}-next` })
      .update({ state: 'completed', started_at: now, finished_at: now });
    expect(wordsOf((await follow().expect(200)).text)).to.match(/^Synced \d\d:\d\d\. Refresh$/);
    for (const path of paths) expect(await wordsAt(path)).not.to.include('As of');
  });
});
