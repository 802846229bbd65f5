import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import { ClientError } from '../../../src/clients/errors.ts';
import { fetchReadably } from '../../../src/clients/summarizer/openai/fetchReadably.ts';
import { createOpenAiSummarizer } from '../../../src/clients/summarizer/openai.ts';
import type { Summary } from '../../../src/clients/summarizer/types.ts';
import { type AiFault, NO_QUOTA, tooManyRequests } from '../../support/ai/faults.ts';
import { digestOf } from '../../support/ai/model.ts';
import { type AiService, API_KEY, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const DAY = conversation(['Eve: The tulips are blooming in the greenhouse.']);
const ERROR_500: AiFault = { status: 500 };

describe('The AI summarizer when something goes wrong', () => {
  let service: AiService;

  beforeEach(async () => {
    service = await startAiService();
  });
  afterEach(() => service.stop());

  async function failure(work: Promise<Summary> = service.summarizer.summarize(DAY)): Promise<ClientError> {
    const error = await work.then(
      () => new Error('it worked'),
      err => err,
    );
    if (!(error instanceof ClientError)) throw error;
    return error;
  }

  const codes = () => service.reports.map(({ code }) => code);

  const mended: [string, AiFault][] = [
    ['no JSON', { kind: 'notJson' }],
    ['JSON of another form', { kind: 'notJson', text: '{"answer": 42}' }],
    ['an empty answer', { kind: 'notJson', text: '' }],
    ['a summary of nothing but markup', { kind: 'notJson', text: JSON.stringify(digestOf('<img src=x>')) }],
    ['an answer cut off', { kind: 'length' }],
  ];
  for (const [what, fault] of mended) {
    it(`asks once more after ${what}, and reports it`, async () => {
      service.ai.faults.next(fault);
      const { usage } = await service.summarizer.summarize(DAY);
      const [first, second] = service.ai.requests();
      expect(second?.user).to.match(/An earlier answer to this was/);
      expect(codes()).to.deep.equal(['AI_REPAIRED_OUTPUT']);
      expect(usage?.promptTokens).to.be.greaterThan((first?.user.length ?? 0) / 2);
    });
  }

  it('gives up after two answers that are not a digest', async () => {
    service.ai.faults.next({ kind: 'notJson', text: 'The tulips are blooming', times: 2 });
    const error = await failure();
    expect(error).to.include({ service: 'summarizer', code: 'AI_BAD_OUTPUT', kind: 'permanent' });
    expect(service.ai.calls()).to.equal(2);
  });

  for (const kind of ['refusal', 'contentFilter'] as const) {
    it(`accepts a ${kind} as an answer and does not ask again`, async () => {
      service.ai.faults.next({ kind });
      expect(await failure()).to.include({ code: 'AI_BAD_OUTPUT', kind: 'permanent' });
      expect(service.ai.calls()).to.equal(1);
    });
  }

  const passing: [string, AiFault][] = [
    ['an error of the server', ERROR_500],
    ["a proxy's page", { kind: 'html' }],
    ['a broken connection', { losesAnswer: true }],
    ['a 429 without a time', { status: 429, code: 'rate_limit_exceeded' }],
  ];
  for (const [what, fault] of passing) {
    it(`tries again after ${what}, and reports it`, async () => {
      service.ai.faults.next(fault);
      await service.summarizer.summarize(DAY);
      expect(codes()).to.deep.equal(['AI_RETRIED']);
    });
  }

  it('reports the service as down after three tries', async () => {
    service.ai.faults.always(ERROR_500);
    expect(await failure()).to.include({ code: 'AI_UNAVAILABLE', kind: 'temporary' });
    expect(service.ai.calls()).to.equal(3);
  });

  it('reports the service as down when the connection is refused', async () => {
    await service.ai.stop();
    expect(await failure()).to.include({ code: 'AI_UNAVAILABLE', kind: 'temporary' });
  });

  it('waits as long as it is asked to, with all of its requests', async () => {
    service.ai.faults.next(tooManyRequests('1'));
    const start = performance.now();
    await service.summarizer.summarize(DAY).catch(() => undefined);
    expect(performance.now() - start).to.be.within(950, 20_000);
    service.ai.faults.next(tooManyRequests(new Date(Date.now() + 2000).toUTCString()));
    const [busy] = await Promise.all([service.summarizer.summarize(DAY), service.summarizer.summarize(DAY)]);
    expect(busy.engine).to.equal('gpt-test');
    expect(codes()).to.deep.equal(['AI_RETRIED', 'AI_RETRIED']);
  });

  it('does not wait for minutes, but says how long to wait', async () => {
    service.ai.faults.next(tooManyRequests('120'));
    expect(await failure()).to.include({ code: 'AI_UNAVAILABLE', kind: 'rateLimited', retryAfterSeconds: 120 });
    expect(service.ai.calls()).to.equal(1);
  });

  it('does not ask again when there is no money left, and tells the operator', async () => {
    service.ai.faults.always(NO_QUOTA);
    expect(await failure()).to.include({ code: 'AI_UNAVAILABLE', kind: 'permanent' });
    expect(service.ai.calls()).to.equal(1);
    expect(service.reports[0]?.code).to.equal('AI_REFUSED_REQUEST');
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
      service = await startAiService({ callTimeoutMs: 700 });
      service.ai.faults.always(fault);
      const start = performance.now();
      expect(await failure()).to.include({ code: 'TIMEOUT', kind: 'temporary' });
      expect(performance.now() - start).to.be.within(650, 20_000);
      expect(service.ai.calls()).to.equal(1);
    });
  }

  it('ends at the overall deadline, even while it waits', async () => {
    await service.stop();
    service = await startAiService({ deadlineMs: 500 });
    service.ai.faults.always(tooManyRequests('20'));
    const start = performance.now();
    expect(await failure()).to.include({ code: 'TIMEOUT', kind: 'temporary' });
    expect(performance.now() - start).to.be.within(450, 15_000);
  });

  it('does not count the wait for a slot at the service', async () => {
    await service.stop();
    const waits: Promise<void>[] = [];
    const inSlot = async <T>(work: () => Promise<T>) => {
      const wait = sleep(1100);
      waits.push(wait);
      await wait;
      return work();
    };
    service = await startAiService({ deadlineMs: 1000, inSlot });
    expect(await service.summarizer.summarize(DAY)).to.include({ engine: 'gpt-test' });
    expect(waits).to.have.length(1);
  });

  it('stops when the caller does', async () => {
    await service.stop();
    service = await startAiService({ deadlineMs: 60_000 });
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
    const answer = await fetchReadably(`http://127.0.0.1:${port}/v1`);
    const reader = answer.body?.getReader();
    const read = async () => {
      for (let part = await reader?.read(); part?.value; part = await reader?.read()) unpacked += part.value.length;
    };
    const error: Error = await read().then(
      () => new Error('it was read to its end'),
      err => err,
    );
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
