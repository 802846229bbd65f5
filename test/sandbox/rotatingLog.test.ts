import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keepChildOutput } from '../../sandbox/childOutput.ts';
import { createRotatingLog } from '../../sandbox/rotatingLog.ts';

describe('The log of a process', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-log-'));
    file = join(folder, 'web.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sizes = () => readdirSync(folder).map(name => statSync(join(folder, name)).size);
  /** The numbers in all files, the oldest file first. */
  const numbers = () => {
    const files = readdirSync(folder).sort().reverse();
    const text = files.map(name => readFileSync(join(folder, name), 'utf8')).join('');
    return text.trim().split('\n').map(Number);
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

  it('is a few files of a few megabytes, however much it writes', () => {
    const output = keepChildOutput(folder, () => undefined, false);
    const line = JSON.stringify({ level: 30, msg: 'x'.repeat(1000) });
    for (let n = 0; n < 30_000; n++) output('web', line, 'stdout');
    output('web', 'y'.repeat(20_000_000), 'stdout');
    expect(readdirSync(folder).sort()).to.deep.equal(['web.log', 'web.log.1', 'web.log.2', 'web.log.3']);
    expect(Math.max(...sizes())).to.be.at.most(5_000_000);
    expect(readFileSync(file, 'utf8').endsWith('…\n')).to.equal(true);
    expect(statSync(file).mode & 0o077).to.equal(0);
  });

  it('goes on over restarts, with the same bound', () => {
    for (let start = 0; start < 20; start++) {
      const log = createRotatingLog(file, { bytes: 100, older: 2 });
      for (let n = 0; n < 10; n++) log.write(`${100 + start * 10 + n}\n`);
    }
    expect(numbers()).to.deep.equal(range(300 - numbers().length, 300));
    expect(numbers().length).to.be.within(50, 75);
    expect(readdirSync(folder)).to.have.lengthOf(3);
  });
});
