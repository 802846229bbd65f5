import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keepChildOutput } from '../../sandbox/childOutput.ts';

describe('The log of a process', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-log-'));
    file = join(folder, 'web.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sizes = () => readdirSync(folder).map(name => statSync(join(folder, name)).size);

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
});
