import { expect } from 'chai';
import { presentSync } from '../../../src/features/sync/present.ts';
import type { SyncError, SyncJob } from '../../../src/features/sync/schema.ts';

const NOW = { now: new Date('2026-11-20T09:12:00Z'), timezone: 'Europe/Berlin' };

function job(details: Partial<SyncJob> = {}): SyncJob {
  return {
    id: 'sync:u:manual:1',
    kind: 'manual',
    state: 'completed',
    progress: 100,
    total: 38,
    done: 38,
    result: { dialogsProcessed: 38, digestsCreated: 10, notesCreated: 0, errors: [] },
    waitsUntil: null,
    waitsFor: null,
    comesBackAt: null,
    outages: 0,
    createdAt: new Date('2026-11-20T09:11:30Z'),
    startedAt: null,
    finishedAt: new Date('2026-11-20T06:31:00Z'),
    ...details,
  };
}

function syncError(peerName: string | null, message: string): SyncError {
  return { dialogId: null, peerName, stage: 'summarize', code: 'AI_UNAVAILABLE', message, retryable: true };
}

const withErrors = (errors: SyncError[]) => ({ ...job().result, errors });
const present = (given: SyncJob | undefined, canStart = true) => presentSync(given, canStart, NOW);

describe('The sync panel', () => {
  it('says when it was and what came of it', () => {
    const panel = present(job());
    expect(panel).to.include({ state: 'done', heading: 'Synced 07:31', chip: '07:31', canStart: true });
    expect(panel.sentence).to.equal('38 conversations read and 10 digests.');
  });

  it('says so when nothing was new', () => {
    const result = { dialogsProcessed: 0, digestsCreated: 0, notesCreated: 0, errors: [] };
    expect(present(job({ result })).sentence).to.equal('Nothing new since the last sync.');
  });

  it('polls while it runs, less often after a minute', () => {
    const running = job({ state: 'active', progress: 68, done: 26, finishedAt: null });
    expect(present(running)).to.include({ state: 'running', pollSeconds: 2, canStart: false, chip: '26 of 38' });
    expect(present(running).progress).to.deep.equal({ percent: 68, words: '26 of 38' });
    expect(present({ ...running, createdAt: new Date('2026-11-20T09:10:00Z') }).pollSeconds).to.equal(5);
  });

  it('says of a large sync that the newest conversations are on Today, once they are', () => {
    const large = (digestsCreated: number, total = 900) => {
      const result = { ...job().result, digestsCreated };
      return present(job({ state: 'active', total, done: digestsCreated, result, finishedAt: null })).sentence;
    };
    expect(large(40)).to.equal(
      'The newest conversations come first and are on Today already. You can leave this page; the sync continues.',
    );
    for (const sentence of [large(0), large(40, 100)]) expect(sentence).not.to.include('Today');
  });

  it('shows no number before it knows how much there is', () => {
    const panel = present(job({ state: 'active', total: 0, done: 0, finishedAt: null }));
    expect(panel.progress).to.equal(null);
    expect(panel.sentence).to.match(/^Reading the list of conversations/);
  });

  it('says until when the messenger asks to wait', () => {
    const waiting = job({ state: 'active', finishedAt: null, waitsUntil: new Date('2026-11-20T09:48:00Z') });
    expect(present(waiting).sentence).to.match(/^Telegram asks us to wait until 10:48\./);
    expect(present(waiting).waits).to.equal(true);
    expect(present(job({ state: 'active', finishedAt: null })).waits).to.equal(false);
  });

  it('says when an unreachable messenger is retried', () => {
    const waitsUntil = new Date('2026-11-20T09:13:00Z');
    const waiting = present(job({ state: 'active', finishedAt: null, waitsUntil, waitsFor: 'outage' }));
    expect(waiting.sentence).to.match(/^Telegram can’t be reached right now\. We’ll try again at 10:13\./);
    const comesBackAt = new Date('2026-11-20T09:20:00Z');
    const result = withErrors([syncError(null, 'Telegram can’t be reached right now.')]);
    const failed = present(job({ state: 'failed', result, comesBackAt }));
    expect(failed.sentence).to.equal('Telegram can’t be reached right now. We’ll try again at 10:20.');
    expect(failed.waits).to.equal(true);
    expect(present(job({ result, comesBackAt })).next).to.equal('We’ll try again at 10:20.');
    const later = { ...NOW, now: new Date('2026-11-20T09:21:00Z') };
    expect(presentSync(job({ state: 'failed', result, comesBackAt }), true, later).sentence).not.to.match(
      /tried again/,
    );
  });

  it('lists what went wrong with whom, and how much more', () => {
    const errors = [syncError('Sofia', 'The answer was not readable.'), syncError(null, 'Telegram is slow.')];
    const panel = present(job({ result: withErrors(errors) }));
    expect(panel.state).to.equal('partial');
    expect(panel.errors).to.deep.equal(['\u2068Sofia\u2069: The answer was not readable.', 'Telegram is slow.']);
    const many = Array.from({ length: 25 }, () => syncError('Sofia', 'No.'));
    expect(present(job({ result: withErrors(many) })).errors.at(-1)).to.equal('And 5 more.');
  });
});
