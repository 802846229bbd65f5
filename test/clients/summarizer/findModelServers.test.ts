import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('offers the first 50 models of a server with hundreds', async () => {
    ollama.behave({ models: Array.from({ length: 300 }, (_, n) => `model-${n}`) });
    const [found] = await find();
    expect(found?.models).to.have.length(50);
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

  it('skips a malformed list, and follows no redirect', async () => {
    const answers: [number, Record<string, string>, string][] = [
      [200, { 'content-type': 'application/json' }, '{"data":[{"id":7}]}'],
      [200, { 'content-type': 'application/json' }, '{"data":[{"id":"two\\nlines"}]}'],
      [200, { 'content-type': 'application/json' }, '{"models":[]}'],
      [302, { location: `${ollama.url}/models` }, ''],
    ];
    const server = createServer((_req, res) => {
      const [status, headers, body] = answers.shift() ?? [500, {}, ''];
      res.writeHead(status, headers).end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    while (answers.length > 0)
      expect(await findModelServers([{ name: 'llama.cpp', apiUrl }], 30_000)).to.deep.equal([]);
    server.closeAllConnections();
    server.close();
  });
});
