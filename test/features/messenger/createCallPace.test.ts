import { expect } from 'chai';
import { ClientError } from '../../../src/clients/errors.ts';
import { gapAfterFlood, gapOf } from '../../../src/features/messenger/rules.ts';
import type { CallRates } from '../../../src/features/messenger/schema.ts';
import { createCallPace } from '../../../src/features/messenger/withAccount.ts';

const DAY = 24 * 3600 * 1000;
const TODAY = new Date('2026-11-23T07:00:00.000Z');
const floodOf = (retryAfterSeconds: number) =>
  new ClientError({ service: 'messenger', kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds });

/** A pace whose time passes only where it waits, or a call takes some. */
function paceWith(rates: CallRates = {}) {
  let now = 0;
  const made = createCallPace({
    rates,
    clock: { now: () => TODAY },
    elapsed: () => now,
    random: () => 0.5,
    wait: async milliseconds => {
      now += milliseconds;
    },
  });
  const sentAt: number[] = [];
  const send = (
    kind: 'dialogs' | 'history' | 'other',
    { takes = 0, refusal }: { takes?: number; refusal?: Error } = {},
  ) =>
    made.pace(kind, async () => {
      sentAt.push(now);
      now += takes;
      if (refusal) throw refusal;
    });
  return { ...made, send, sentAt };
}

const learned = (everyMs: number, learnedAt = TODAY) => ({ everyMs, learnedAt: learnedAt.toISOString() });

describe('The pace of an account’s calls', () => {
  it('makes no call wait before the messenger first asks for it', async () => {
    const { send, sentAt, learned: rates } = paceWith();
    for (let calls = 0; calls < 100; calls += 1) await send('history');
    expect(new Set(sentAt)).to.deep.equal(new Set([0]));
    expect(rates()).to.equal(undefined);
  });

  it('learns from a flood which rate the messenger accepts, with room to spare', async () => {
    const { send, learned: rates } = paceWith();
    for (let calls = 0; calls < 60; calls += 1) await send('history', { takes: 30 });
    await send('history', { refusal: floodOf(30) }).catch(() => undefined);
    // 60 calls in 1.8 and 30 seconds, of that four fifths.
    expect(rates()).to.deep.equal({ history: learned((1800 + 30_000) / 48) });
  });

  it('sends nothing more after a flood', async () => {
    const { send, sentAt } = paceWith();
    const flood = floodOf(30);
    await send('history', { refusal: flood }).catch(() => undefined);
    for (const kind of ['history', 'dialogs'] as const) {
      const error = await send(kind).catch((err: unknown) => err);
      expect(error).to.equal(flood);
    }
    expect(sentAt).to.have.length(1);
  });

  it('keeps calls of all kinds in one queue, each kind with its own gap', async () => {
    const { send, sentAt } = paceWith({ history: learned(500), dialogs: learned(4000) });
    for (const kind of ['dialogs', 'other', 'history', 'history', 'dialogs', 'history'] as const) await send(kind);
    expect(sentAt).to.deep.equal([0, 0, 4000, 4500, 5000, 9000]);
  });

  it('keeps what it learned of one kind when another one floods', async () => {
    const { send, learned: rates } = paceWith({ dialogs: learned(4000) });
    for (let calls = 0; calls < 10; calls += 1) await send('history', { takes: 100 });
    await send('history', { refusal: floodOf(7) }).catch(() => undefined);
    expect(rates()).to.deep.equal({ dialogs: learned(4000), history: learned(1000) });
  });

  it('rejects calls that wait for their turn when the connection is closed', async () => {
    const over = new AbortController();
    const { pace } = createCallPace({
      rates: { history: learned(20_000) },
      clock: { now: () => TODAY },
      signal: over.signal,
    });
    let sent = 0;
    const send = () =>
      pace('history', async () => {
        sent += 1;
      });
    await send();
    const waiting = Promise.allSettled([send(), send()]);
    const reason = new Error('closed');
    over.abort(reason);
    const refused = { status: 'rejected', reason };
    expect([...(await waiting), ...(await Promise.allSettled([send()]))]).to.deep.equal([refused, refused, refused]);
    expect(sent).to.equal(1);
  });

  it('learns nothing from other errors', async () => {
    const { send, learned: rates } = paceWith();
    for (let calls = 0; calls < 10; calls += 1) await send('history');
    await send('history', { refusal: new Error('gone') }).catch(() => undefined);
    expect(rates()).to.equal(undefined);
  });
});

describe('A learned gap between calls', () => {
  it('is not learned from a flood that came before some calls were taken', () => {
    expect(gapAfterFlood('history', { gapMs: 0, answered: 4, elapsedMs: 100, waitMs: 30_000 })).to.equal(0);
    expect(gapAfterFlood('dialogs', { gapMs: 0, answered: 1, elapsedMs: 100, waitMs: 30_000 })).to.equal(0);
    expect(gapAfterFlood('dialogs', { gapMs: 0, answered: 4, elapsedMs: 2000, waitMs: 30_000 })).to.equal(10_000);
  });

  it('grows with each further flood, by half at least and to three times at most', () => {
    const flood = { gapMs: 600, elapsedMs: 60_000, waitMs: 30_000 };
    expect(gapAfterFlood('history', { ...flood, answered: 2 })).to.equal(900);
    expect(gapAfterFlood('history', { ...flood, answered: 500 })).to.equal(900);
    expect(gapAfterFlood('history', { ...flood, answered: 100 })).to.equal(1125);
    expect(gapAfterFlood('history', { ...flood, answered: 10 })).to.equal(1800);
  });

  it('is between a fiftieth of a second and twenty seconds', () => {
    expect(gapAfterFlood('history', { gapMs: 0, answered: 10_000, elapsedMs: 100, waitMs: 1000 })).to.equal(20);
    expect(gapAfterFlood('history', { gapMs: 0, answered: 5, elapsedMs: 100, waitMs: 1_800_000 })).to.equal(20_000);
    expect(gapAfterFlood('history', { gapMs: 15_000, answered: 1, elapsedMs: 100, waitMs: 1000 })).to.equal(20_000);
  });

  it('wears off: half of it each week, all of it after a month', () => {
    const rate = learned(800);
    expect(gapOf(rate, TODAY)).to.equal(800);
    expect(gapOf(rate, new Date(TODAY.getTime() + 7 * DAY))).to.equal(400);
    expect(gapOf(rate, new Date(TODAY.getTime() + 28 * DAY))).to.equal(50);
    expect(gapOf(rate, new Date(TODAY.getTime() + 31 * DAY))).to.equal(0);
    expect(gapOf(undefined, TODAY)).to.equal(0);
  });
});
