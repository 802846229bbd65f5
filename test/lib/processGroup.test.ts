import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runGroup } from '../../src/lib/supervisor.ts';
import { allGone } from '../support/bareMachine.ts';

const NOTE = `require('node:fs').appendFileSync('seen', process.argv[2] + ' ' + process.pid + '\\n');`;
const WAITS = `${NOTE} process.on('SIGTERM', () => process.exit(0)); process.stdin.resume(); setInterval(() => {}, 1000);`;

describe('A group of processes', () => {
  let folder: string;
  let stop: AbortController;
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-group-'));
    stop = new AbortController();
    said = [];
  });
  afterEach(async () => {
    stop.abort();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a group whose three processes run these scripts. */
  function start(scripts: { release?: string; web?: string; worker?: string }): Promise<number> {
    const all = { release: NOTE, web: WAITS, worker: WAITS, ...scripts };
    for (const [name, script] of Object.entries(all)) writeFileSync(join(folder, `${name}.cjs`), script);
    const procfile = Object.keys(all).map(name => `${name}: ${process.execPath} ${name}.cjs ${name}`);
    writeFileSync(join(folder, 'Procfile'), procfile.join('\n'));
    const env = { PATH: process.env.PATH };
    return runGroup({ root: folder, env, stop: stop.signal, log: line => void said.push(line), giveUpAfter: 2 });
  }

  function seen(): { name: string; pid: number }[] {
    try {
      const lines = readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n');
      return lines.map(line => ({ name: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[1]) }));
    } catch {
      return [];
    }
  }

  it('starts nothing when the migrations fail', async () => {
    expect(await start({ release: `${NOTE} process.exit(3);` })).to.equal(1);
    expect(seen().map(({ name }) => name)).to.deep.equal(['release']);
    expect(said).to.deep.equal(['the database migrations failed: the lines above say why']);
  });

  it('ends with code 1, and everything with it, when a process keeps ending', async () => {
    expect(await start({ worker: `${NOTE} process.exit(5);` })).to.equal(1);
    const pids = seen().map(({ pid }) => pid);
    expect(await allGone(pids, 0)).to.equal(true);
    expect(said).to.deep.equal([
      'worker ended (code 5): starting it again in 0.5 s',
      'worker ended 2 times in a row: ending the whole group',
    ]);
  });
});
