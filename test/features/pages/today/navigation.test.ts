import { expect } from 'chai';
import { compact } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest, storedItem } from './stored.ts';

describe('The numbers in the navigation', () => {
  let service: Service;
  let nora: Agent;
  let sam: Agent;

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    sam = await signIn(service, 'sam@example.com');
    const actionItems = [
      storedItem('Late', { dueDate: dayAgo(3) }),
      storedItem('Today', { dueDate: dayAgo(0) }),
      storedItem('To come', { dueDate: dayAgo(-2) }),
      storedItem('Theirs', { owner: 'contact', dueDate: dayAgo(3) }),
      storedItem('Whose', { owner: 'unknown', dueDate: dayAgo(3) }),
    ];
    await storeDigest(service.db, owner, { structured: { actionItems } });
    await storeDigest(service.db, owner, { structured: { actionItems: [storedItem('No day')] } });
  });
  after(stopServices);

  const numbers = async (agent: Agent, path = '/settings') => {
    const html = compact((await agent.get(path).expect(200)).text);
    const of = (id: string) => html.match(new RegExp(`id="${id}"[^>]*>(\\d*)<`))?.[1];
    return { due: of('due-side'), dueInBar: of('due-bar'), open: of('open-side') };
  };

  it('count what the user has due or overdue, and what else is theirs to do, on every page', async () => {
    for (const path of ['/settings', '/today', '/promises', '/contacts'])
      expect(await numbers(nora, path)).to.deep.equal({ due: '2', dueInBar: '2', open: '4' });
    expect(await numbers(sam)).to.deep.equal({ due: '0', dueInBar: '0', open: '0' });
  });

  it('count what can’t wait and leave out muted conversations, as Today does', async () => {
    const ofNora = service.db('users').where({ email: 'nora@example.com' }).select('id');
    const dialogs = () => service.db('dialogs').whereIn('user_id', ofNora);
    const digests = () => service.db('digests').whereIn('user_id', ofNora);
    const say = (urgency: string) => service.db.raw(`structured || ?::jsonb`, [JSON.stringify({ urgency })]);
    await digests().update({ structured: say('high') });
    const pressing = (await numbers(nora)).due;
    await dialogs().update({ is_muted: true });
    const muted = await numbers(nora);
    await dialogs().update({ is_muted: false });
    await digests().update({ structured: say('none') });
    expect([pressing, muted.due, muted.open]).to.deep.equal(['3', '0', '4']);
  });
});
