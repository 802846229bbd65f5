import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readSettings } from '../../../../src/lib/settingsFile.ts';
import { admitted, type OpenSetup, openSetup, save, TELEGRAM } from './openSetup.ts';

describe('The step of the setup page about who writes', () => {
  let setup: OpenSetup;
  before(async () => {
    setup = await openSetup();
  });
  beforeEach(() => writeFileSync(setup.settingsFile, ''));
  afterEach(() => {
    setup.ai.faults.clear();
    setup.ai.behave({});
  });
  after(() => setup.stop());

  const opened = async () => admitted(await setup.again());
  const kept = () => readSettings(setup.settingsFile);

  it('finds out once how the server is asked, and how much the model takes in, and keeps both', async () => {
    const agent = await opened();
    await save(agent, 'telegram', TELEGRAM).expect(303);
    setup.ai.behave({ takes: ['json_object', 'text'], contextSaid: 32_768, models: ['large'] });
    await save(agent, 'writer', { aiUrl: setup.ai.url, model: 'large' }).expect(303);
    expect(kept()).to.include({ AI_FORMAT: 'json_object', AI_CONTEXT_TOKENS: '32768' });
    setup.ai.behave({ takes: ['text'], contextSaid: 10_000_000, models: ['largest'] });
    await save(agent, 'writer', { aiUrl: setup.ai.url, model: 'largest' }).expect(303);
    expect(kept()).to.include({ AI_FORMAT: 'text', AI_CONTEXT_TOKENS: '131072' });
    setup.ai.behave({ takes: ['text'] });
    await save(agent, 'writer', { aiUrl: setup.ai.url, model: 'gpt-test' }).expect(303);
    expect(kept()).to.include({ AI_FORMAT: 'text', AI_CONTEXT_TOKENS: '' });
    await save(agent, 'writer', { action: 'later' }).expect(303);
    expect(kept()).to.include({ AI_FORMAT: '', AI_CONTEXT_TOKENS: '' });
  });
});
