import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Supervisor, supervise } from '../../src/lib/supervisor.ts';
import { isAlive } from '../support/bareMachine.ts';
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

  it('stops processes, and kills those that do not end', async () => {
    const pid = await superviseScript(DEAF);
    await running?.stop(300);
    expect(isAlive(pid)).to.equal(false);
  });
});
