import { expect } from 'chai';
import { findModelServers } from '../../../src/clients/summarizer/findModelServers.ts';
import type { AiFault } from '../../support/ai/faults.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';

describe('Finding the servers of models on this machine', () => {
  let ollama: AiSandbox;
  let other: AiSandbox;

  before(async () => {
    ollama = await startAiSandbox();
    other = await startAiSandbox();
  });
  beforeEach(() => {
    for (const server of [ollama, other]) server.faults.clear();
    ollama.behave({ models: ['qwen3:14b', 'nomic-embed-text:latest', 'llama4:8b', 'qwen3:14b'] });
    other.behave({ models: ['bge-reranker-v2'] });
  });
  after(async () => {
    await ollama.stop();
    await other.stop();
  });

  const find = (patienceMs = 30_000) =>
    findModelServers(
      [
        { name: 'Ollama', apiUrl: ollama.url },
        { name: 'LM Studio', apiUrl: 'http://127.0.0.1:1/v1' },
        { name: 'vLLM', apiUrl: other.url },
      ],
      patienceMs,
    );
  const OLLAMA = () => ({ name: 'Ollama', apiUrl: ollama.url, models: ['qwen3:14b', 'llama4:8b'] });

  it('names those that answer with the models that can write, each once', async () => {
    expect(await find()).to.deep.equal([OLLAMA()]);
    other.behave({ models: ['Qwen/Qwen3-14B'] });
    expect(await find()).to.deep.equal([OLLAMA(), { name: 'vLLM', apiUrl: other.url, models: ['Qwen/Qwen3-14B'] }]);
  });

  const useless: [string, AiFault][] = [
    ['an error', { status: 500 }],
    ['a page', { kind: 'html' }],
    ['nothing', { isSilent: true }],
  ];
  for (const [what, fault] of useless) {
    it(`skips a server that answers with ${what}`, async () => {
      other.behave({ models: ['Qwen/Qwen3-14B'] });
      other.faults.always({ ...fault, on: 'models' });
      expect(await find(fault.isSilent ? 2000 : undefined)).to.deep.equal([OLLAMA()]);
    });
  }
});
