import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readProcfile } from '../../src/lib/procfile.ts';
import { runToEnd, type Supervisor, supervise } from '../../src/lib/supervisor.ts';
import { allGone, isAlive } from '../support/bareMachine.ts';
import { until } from '../support/until.ts';

const POLITE = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log(process.pid);";
const DEAF = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid);";

describe('The supervisor', () => {
  let folder: string;
  let running: Supervisor | undefined;
  let pids: number[];
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-supervisor-'));
    pids = [];
    said = [];
  });

  afterEach(async () => {
    await running?.stop(0);
    rmSync(folder, { recursive: true, force: true });
  });

  function around() {
    const env = { PATH: process.env.PATH };
    const output = (_name: string, line: string) => void pids.push(Number(line));
    return { cwd: folder, env, output, log: (line: string) => void said.push(line) };
  }

  /** Supervises one script, and resolves with its process id. */
  async function superviseScript(script: string): Promise<number> {
    writeFileSync(join(folder, 'toy.js'), script);
    running = supervise([{ name: 'toy', command: process.execPath, args: ['toy.js'] }], around());
    return await pidNumber(1);
  }

  async function pidNumber(count: number): Promise<number> {
    await until(() => pids.length >= count);
    return pids[count - 1] ?? 0;
  }

  it('starts a dead process again and says so', async () => {
    const first = await superviseScript(POLITE);
    process.kill(first, 'SIGKILL');
    const second = await pidNumber(2);
    expect(second).to.be.greaterThan(0).and.not.equal(first);
    expect(said).to.deep.equal(['toy ended (SIGKILL): starting it again in 0.5 s']);
  });

  it('waits longer each time for one that dies at once', async () => {
    await superviseScript('console.log(process.pid); process.exit(3);');
    await pidNumber(3);
    expect(said.slice(0, 2)).to.deep.equal([
      'toy ended (code 3): starting it again in 0.5 s',
      'toy ended (code 3): starting it again in 1 s',
    ]);
  });

  it('restarts immediately and silently on request', async () => {
    const first = await superviseScript(POLITE);
    running?.restart();
    expect(await pidNumber(2)).not.to.equal(first);
    expect(said).to.deep.equal([]);
  });

  it('restarts a dead process immediately on request', async () => {
    await superviseScript('console.log(process.pid); process.exit(3);');
    await pidNumber(3);
    await until(() => said.length >= 3);
    const askedAt = Date.now();
    running?.restart();
    await pidNumber(4);
    expect(Date.now() - askedAt).to.be.lessThan(1_900);
  });

  it('stops processes, and kills those that do not end', async () => {
    const pid = await superviseScript(DEAF);
    await running?.stop(300);
    expect(isAlive(pid)).to.equal(false);
  });

  it('leaves nothing starting again after a stop', async () => {
    await superviseScript(POLITE);
    await running?.stop(5_000);
    await sleep(700);
    expect(pids).to.have.length(1);
    expect(await allGone(pids, 0)).to.equal(true);
  });

  it('tells the exit code of a process run to its end', async () => {
    const line = (code: string) => ({ name: 'once', command: process.execPath, args: ['-e', code] });
    expect(await runToEnd(line('process.exit(4)'), around())).to.equal(4);
    expect(await runToEnd({ name: 'once', command: '/no/such/program', args: [] }, around())).to.equal(127);
  });

  it('reads a Procfile without a shell and refuses what is none', () => {
    const file = join(folder, 'Procfile');
    writeFileSync(file, '# comment\nweb: node --flag=1 src/web.ts\n\n');
    expect(readProcfile(file)).to.deep.equal([{ name: 'web', command: 'node', args: ['--flag=1', 'src/web.ts'] }]);
    writeFileSync(file, 'just words');
    expect(() => readProcfile(file)).to.throw('just words');
  });
});
