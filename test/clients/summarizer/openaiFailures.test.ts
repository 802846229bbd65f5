import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import { ClientError } from '../../../src/clients/errors.ts';
import { fetchLimited } from '../../../src/clients/summarizer/openai/api.ts';
import { createOpenAiSummarizer } from '../../../src/clients/summarizer/openai.ts';
import type { Summary } from '../../../src/clients/summarizer/types.ts';
import { type AiFault, NO_QUOTA, tooManyRequests } from '../../support/ai/faults.ts';
import { digestOf } from '../../support/ai/model.ts';
import { API_KEY, eachAiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const DAY = conversation(['Eve: The tulips are blooming in the greenhouse.']);
const ERROR_500: AiFault = { status: 500 };

describe('The AI summarizer when something goes wrong', () => {
  const service = eachAiService();

  async function failure(work: Promise<Summary> = service.summarizer.summarize(DAY)): Promise<ClientError> {
    const error = await work.then(() => new Error('it worked')).catch(err => err);
    if (!(error instanceof ClientError)) throw error;
    return error;
  }

  const codes = () => service.reports.map(({ code }) => code);

  const mended: [string, AiFault][] = [
    ['JSON of another form', { kind: 'notJson', text: '{"answer": 42}' }],
    ['a summary of nothing but markup', { kind: 'notJson', text: JSON.stringify(digestOf('<img src=x>')) }],
  ];
  for (const [what, fault] of mended) {
    it(`asks once more after ${what}, and reports it`, async () => {
      service.ai.faults.next(fault);
      const { usage } = await service.summarizer.summarize(DAY);
      const [first, second] = service.ai.requests();
      expect(second?.user).to.match(/An earlier answer was not the JSON object asked for/);
      expect(second?.user.startsWith(first?.user ?? '-'), 'what a server has cached stays the same').to.equal(true);
      expect(codes()).to.deep.equal(['AI_REPAIRED_OUTPUT']);
      expect(usage?.promptTokens).to.be.greaterThan((first?.user.length ?? 0) / 2);
    });
  }
  it('takes nothing from a server that counts fewer tokens than it was sent words', async () => {
    service.ai.behave({ context: 300, overflow: 'dropsFront' });
    const words = conversation(Array.from({ length: 60 }, (_, n) => `Eve: Point ${n} is on its way and signed.`));
    const error = await failure(service.summarizer.summarize(words));
    expect(error).to.include({ code: 'AI_CONTEXT_TOO_SMALL', kind: 'permanent' });
    expect(service.reports[0]?.message).to.match(/^the server read \d+ tokens of at least \d+ sent$/);
    service.ai.behave({ context: 300, overflow: 'dropsFront', counts: 'nothing' });
    expect((await service.summarizer.summarize(words)).engine, 'one that counts nothing is believed').to.equal('gpt-test');
  });

  const passing: [string, AiFault][] = [
    ['an error of the server', ERROR_500],
    ["a proxy's page", { kind: 'html' }],
    ['a broken connection', { losesAnswer: true }],
    ['a request to wait', tooManyRequests('0')],
  ];
  for (const [what, fault] of passing) {
    it(`tries again after ${what}, and reports it`, async () => {
      service.ai.faults.next(fault);
      await service.summarizer.summarize(DAY);
      expect(codes()).to.deep.equal(['AI_RETRIED']);
    });
  }

  it('does not wait for minutes, but says how long to wait', async () => {
    service.ai.faults.next(tooManyRequests('120'));
    expect(await failure()).to.include({ code: 'AI_UNAVAILABLE', kind: 'rateLimited', retryAfterSeconds: 120 });
    expect(service.ai.calls()).to.equal(1);
  });

  it('tells the operator the code and the id of the request', async () => {
    service.ai.faults.always(NO_QUOTA);
    await failure();
    expect(service.reports[0]?.message).to.match(/^status 429, insufficient_quota, request req_\w+$/);
  });

  it('does not ask again with a key that is rejected, and does not reveal the key', async () => {
    const report = service.reports.push.bind(service.reports);
    const apiKey = `${API_KEY}-wrong`;
    const stranger = createOpenAiSummarizer({ apiKey, model: 'm', apiUrl: service.ai.url, report });
    const error = await failure(stranger.summarize(DAY));
    expect(error).to.include({ code: 'AI_UNAVAILABLE', kind: 'permanent' });
    expect(service.ai.calls()).to.equal(1);
    expect(`${error.stack}${(error.cause as Error).stack}${JSON.stringify(service.reports)}`).to.not.include(API_KEY);
  });

  const unfinished: [string, AiFault][] = [
    ['no answer', { isSilent: true }],
    ['half of an answer', { kind: 'halfAnswer' }],
  ];
  for (const [what, fault] of unfinished) {
    it(`ends a call with ${what} at its deadline and does not pay twice`, async () => {
      await service.stop();
      Object.assign(service, await startAiService({ callTimeoutMs: 700 }));
      service.ai.faults.always(fault);
      const start = performance.now();
      expect(await failure()).to.include({ code: 'TIMEOUT', kind: 'temporary' });
      expect(performance.now() - start).to.be.within(650, 20_000);
      expect(service.ai.calls()).to.equal(1);
    });
  }

  it('stops when the caller does', async () => {
    service.ai.faults.always({ isSilent: true });
    const stop = new AbortController();
    const work = failure(service.summarizer.summarize(DAY, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 50);
    const start = performance.now();
    expect(await work).to.include({ code: 'TIMEOUT', kind: 'temporary' });
    expect(performance.now() - start).to.be.lessThan(20_000);
  });

  it('repeats nothing that people or the service wrote in an error', async () => {
    const message = 'Invalid prompt: "The tulips are blooming in the greenhouse."';
    for (const fault of [
      { status: 400, code: 'tulips in bloom', message },
      { status: 500, type: 'tulips in bloom', message },
      { kind: 'notJson', text: message },
      { kind: 'refusal' },
    ] satisfies AiFault[]) {
      service.ai.faults.always(fault);
      const error = await failure();
      expect(`${error.stack} ${(error.cause as Error).stack}`).to.not.match(/tulips|sorry/i);
    }
    expect(JSON.stringify(service.reports)).to.not.match(/tulips/i);
  });

  it('reads no more of an answer without end than a digest can be', async () => {
    const most = 4_000_000;
    const megabytes = 100;
    let unpacked = 0;
    const endless = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      const block = Buffer.alloc(1_000_000, ' ');
      const blank = function* () {
        for (let sent = 0; sent < megabytes; sent++) yield block;
      };
      pipeline(blank, createGzip({ level: 1 }), response).catch(() => undefined);
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const answer = await fetchLimited(`http://127.0.0.1:${port}/v1`);
    const reader = answer.body?.getReader();
    const read = async () => {
      for (let part = await reader?.read(); part?.value; part = await reader?.read()) unpacked += part.value.length;
    };
    const error: Error = await read()
      .then(() => new Error('it was read to its end'))
      .catch(err => err);
    expect(error.message).to.include('too long an answer');
    expect(unpacked).to.be.at.most(most);
    const summarizer = createOpenAiSummarizer({
      apiKey: API_KEY,
      model: 'gpt-test',
      apiUrl: `http://127.0.0.1:${port}/v1`,
      report: () => undefined,
    });
    expect(await failure(summarizer.summarize(DAY))).to.include({ kind: 'temporary' });
    endless.close();
    endless.closeAllConnections();
  });
});
