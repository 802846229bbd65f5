import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readSettings } from '../../../../src/lib/settingsFile.ts';
import { wordsOf } from '../../../support/pages.ts';
import { until } from '../../../support/until.ts';
import { type Agent, admitted, type OpenSetup, openSetup, save, TELEGRAM } from './openSetup.ts';

const MODEL = 'qwen3:4b-instruct';
const VARIANT = 'qwen3:4b-instruct-16k';

describe('A model of one’s own, from the setup page', () => {
  let setup: OpenSetup;
  let agent: Agent;
  before(async () => {
    setup = await openSetup();
  });
  beforeEach(async () => {
    writeFileSync(setup.settingsFile, '');
    setup.machine.freeDiskBytes = 60e9;
    setup.ai.ollama.remove();
    setup.ai.ollama.install();
    setup.ai.ollama.offer({ [MODEL]: { bytes: 2.5e9 } });
    agent = await admitted(await setup.again());
    await save(agent, 'telegram', TELEGRAM).expect(303);
  });
  afterEach(() => {
    setup.ai.faults.clear();
    setup.ai.behave({});
  });
  after(() => setup.stop());

  const kept = () => readSettings(setup.settingsFile);
  const post = (path: string, fields: object = {}) => agent.post(`/setup/model/${path}`).type('form').send(fields);
  const markup = async () => (await agent.get('/setup').expect(200)).text;
  const words = async () => wordsOf(await markup());
  const settled = () => until(async () => !(await markup()).includes('hx-get="/setup/model"'));

  it('downloads, makes a variant that reads 16,384 tokens, and shows both digests before anything is saved', async () => {
    await post('download', { model: MODEL }).expect(303).expect('Location', '/setup?change=writer');
    await settled();
    expect(Object.keys(setup.ai.ollama.models())).to.deep.equal([MODEL, VARIANT]);
    const text = await words();
    expect(text).to.include('The same conversation, written by each');
    expect(text).to.match(/Built-in summarizer On this machine, \d+\.\d s/);
    expect(text).to.match(/qwen3:4b-instruct-16k At 127\.0\.0\.1:\d+, \d+\.\d s/);
    expect(text).to.include('Claire: Before Tuesday I need from you in writing');
    expect(kept()).not.to.have.property('AI_MODEL');
    await post('use').expect(303).expect('Location', '/setup');
    expect(kept()).to.include({ AI_API_URL: setup.ai.url, AI_MODEL: VARIANT, AI_API_KEY: '', AI_CONCURRENCY: '1' });
    expect(await words()).to.match(/qwen3:4b-instruct-16k at 127\.0\.0\.1:\d+ summarized a conversation of the demo/);
  });

  it('says in words why a download failed, and tries again', async () => {
    const said: [object, string][] = [
      [{ kind: 'diskFull' }, 'The disk has no room for qwen3:4b-instruct'],
      [{ kind: 'breaks' }, 'The download of qwen3:4b-instruct broke off'],
      [{ kind: 'stalls' }, 'The download of qwen3:4b-instruct broke off'],
      [{ status: 500 }, 'Ollama couldn’t download qwen3:4b-instruct'],
    ];
    for (const [fault, sentence] of said) {
      setup.ai.faults.next({ ...fault, on: 'ollama.pull' });
      await post('download', { model: MODEL }).expect(303);
      await settled();
      expect(await words()).to.include(sentence);
    }
    await post('again').expect(303);
    await settled();
    expect(await words()).to.include('The same conversation, written by each');
  });

  it('downloads nothing that is not on the list', async () => {
    for (const model of ['evil/model', '', 'http://127.0.0.1/x']) {
      const { text } = await post('download', { model }).expect(400);
      expect(wordsOf(text)).to.include('Choose a model to download.');
    }
    expect(setup.ai.ollama.models()).to.deep.equal({});
  });
});
