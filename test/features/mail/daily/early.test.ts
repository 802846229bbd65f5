import { expect } from 'chai';
import { queueDailySyncs } from '../../../../src/features/sync/service.ts';
import { honestModel } from '../../../support/ai/model.ts';
import { type AiSandbox, startAiSandbox } from '../../../support/ai/server.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, connectedNora, finished } from '../../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { dialog, message, person, world } from '../../../support/worlds.ts';

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan'];
const SIZE = NAMES.length;
const HOUR_MS = 3_600_000;

/** Where its lines break depends on what is said before: in the morning of today, after noon of tomorrow. */
const unwrapped = (text = '') => text.replace(/\s+/g, ' ');

describe('The email of a day whose model takes long', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;
  let gate: PromiseWithResolvers<void>;
  /** How many answers the model gives before it waits. */
  let swift: number;

  beforeEach(async () => {
    gate = Promise.withResolvers<void>();
    swift = 0;
    ai = stopLater(await startAiSandbox());
    ai.script(async request => {
      if (swift === 0) await gate.promise;
      else swift -= 1;
      return honestModel(request);
    });
    const users = NAMES.map((firstName, at) => person(5001 + at, { firstName, isContact: true }));
    const dialogs = users.map(({ id }) =>
      dialog(`user:${id}`, [message(id, { from: id, text: `Please send me the offer number ${id} by Friday.` })]),
    );
    const env = { AI_MODEL: 'slow-model', AI_API_URL: ai.url, AI_CONCURRENCY: '1', DIGEST_CONCURRENCY: '1' };
    service = await startService({ worlds: [world({ users, dialogs })], mail: true, env });
    nora = await connectedNora(service);
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
  });
  afterEach(async () => {
    gate.resolve();
    await stopServices();
  });

  const jobs = () => service.db('pgboss.job').where({ name: 'digest-mail' });
  const written = () => service.db('digests').where({ status: 'COMPLETE', is_excerpt: false });

  async function startDaily(): Promise<string> {
    const { next_sync_at: due } = await service.db('sync_configs').first();
    await queueDailySyncs({ ...service.worker(), clock: { now: () => due } }, { spreadSeconds: 0 });
    return (await service.db('sync_jobs').orderBy('created_at', 'desc').first()).id;
  }

  /** What waits for an hour is due now. */
  async function anHourLater(): Promise<void> {
    await jobs().where({ state: 'created' }).update({ start_after: service.db.fn.now() });
    await until(async () => (await jobs().whereIn('state', ['created', 'active', 'retry'])).length === 0);
  }

  it('waits for an hour, then tells of what is written and how much is not, and is the only one', async () => {
    swift = 2;
    const jobId = await startDaily();
    await until(async () => (await written()).length === 2 && ai.calls() === 3);
    const [early, ...others] = await jobs();
    expect(others).to.deep.equal([]);
    expect(early.start_after.getTime() - early.created_on.getTime()).to.be.closeTo(HOUR_MS, 60_000);
    expect(service.mail.mails()).to.deep.equal([]);

    await anHourLater();
    const [mail, second] = service.mail.mails();
    expect(second).to.equal(undefined);
    expect(unwrapped(mail?.text)).to.include('The AI model is still writing 2 more digests.');
    expect(mail?.text).to.include('WHAT CHANGED (2)').and.not.include('excerpt').and.not.include('appear here');
    const told = NAMES.filter(name => mail?.text.includes(`* ${name}`));
    expect(told).to.have.length(2);

    gate.resolve();
    await finished(nora, jobId);
    await anHourLater();
    expect(await written()).to.have.length(SIZE);
    expect(service.mail.mails()).to.have.length(1);
  });

  it('goes out when the sync ends before that, and not once more after the hour', async () => {
    const jobId = await startDaily();
    gate.resolve();
    await finished(nora, jobId);
    await until(() => service.mail.mails().length === 1);
    expect(service.mail.mails()[0]?.text).to.include(`WHAT CHANGED (${SIZE})`).and.not.include('still writing');
    await anHourLater();
    expect(service.mail.mails()).to.have.length(1);
  });
});
