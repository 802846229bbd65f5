import { expect } from 'chai';
import { createOllama } from '../../../src/clients/modelStore/ollama.ts';
import type { Progress } from '../../../src/clients/modelStore/types.ts';
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
  const never = () => new AbortController().signal;
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: Error & { code?: unknown }) => (error.name === 'ClientError' ? error.code : error.name),
    );

  async function download(signal = never(), onProgress: (progress: Progress) => void = () => undefined) {
    await store().download(MODEL, { signal, onProgress });
  }

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

  it('says why a download failed', async () => {
    ai.faults.next({ kind: 'diskFull', on: 'ollama.pull' });
    expect(await codeOf(download())).to.equal('DISK_FULL');
    ai.faults.next({ kind: 'breaks', on: 'ollama.pull' });
    expect(await codeOf(download())).to.equal('MODEL_STORE_SILENT');
    ai.faults.next({ kind: 'stalls', on: 'ollama.pull' });
    expect(await codeOf(download())).to.equal('MODEL_STORE_SILENT');
    ai.faults.next({ status: 500, on: 'ollama.pull' });
    expect(await codeOf(download())).to.equal('MODEL_REFUSED');
    ai.ollama.offer({});
    expect(await codeOf(download())).to.equal('UNKNOWN_MODEL');
    expect(await codeOf(createOllama({ apiUrl: 'http://127.0.0.1:1/v1' }).withContext('m', 1, never()))).to.equal(
      'MODEL_STORE_SILENT',
    );
  });

  it('makes a variant that reads as much as is wanted, once', async () => {
    await download();
    const variant = await store().withContext(MODEL, 16_384, never());
    expect(variant).to.equal('qwen3:4b-instruct-16k');
    expect(ai.ollama.models()[variant]?.parameters).to.match(/^num_ctx +16384$/);
    expect(await store().withContext(variant, 16_384, never())).to.equal(variant);
    expect(Object.keys(ai.ollama.models())).to.deep.equal([MODEL, variant]);
  });
});
