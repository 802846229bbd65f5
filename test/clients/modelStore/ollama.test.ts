import { expect } from 'chai';
import { createOllama } from '../../../src/clients/modelStore/ollama.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';

const MODEL = 'qwen3:4b-instruct';
const BYTES = 2_500_000_000;

describe('The model store of this machine', () => {
  let ai: AiSandbox;
  before(async () => {
    ai = await startAiSandbox();
  });
  beforeEach(() => {
    ai.ollama.remove();
    ai.ollama.install();
    ai.ollama.offer({ [MODEL]: { bytes: BYTES } });
  });
  afterEach(() => ai.faults.clear());
  after(() => ai.stop());

  const store = () => createOllama({ apiUrl: ai.url, patienceMs: 5000, silenceMs: 300 });

  it('is asked on loopback only', () => {
    for (const host of ['192.168.1.5:11434', 'ollama.example', '127.0.0.1.example']) {
      expect(() => createOllama({ apiUrl: `http://${host}/v1` })).to.throw('on this machine only');
    }
  });

  it('lists the models that write and that run here', async () => {
    ai.ollama.install({
      'qwen3:14b': { bytes: 9e9 },
      'nomic-embed-text:latest': { bytes: 3e8 },
      'gpt-oss:120b-cloud': { bytes: 384 },
      'large:latest': { bytes: 384, remoteHost: 'https://ollama.com:443' },
    });
    expect(await store().list()).to.deep.equal([{ name: 'qwen3:14b', bytes: 9e9 }]);
  });

  it('tells one without models from none at all', async () => {
    expect(await store().list()).to.deep.equal([]);
    ai.ollama.remove();
    expect(await store().list()).to.equal(undefined);
    expect(await createOllama({ apiUrl: 'http://127.0.0.1:1/v1' }).list()).to.equal(undefined);
    ai.ollama.install();
    ai.faults.next({ isSilent: true, on: 'ollama.tags' });
    expect(await createOllama({ apiUrl: ai.url, patienceMs: 100 }).list()).to.equal(undefined);
  });
});
