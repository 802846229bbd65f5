import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseMode } from '../../sandbox/startSettings.ts';

describe('What npm start runs', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'forenoon-modes-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const mode = (args: string[] = [], env: NodeJS.ProcessEnv = {}) => chooseMode(args, env, root);
  const setUp = () => {
    mkdirSync(join(root, '.data', 'own'), { recursive: true });
    writeFileSync(join(root, '.data', 'own', 'settings.env'), '');
  };

  it('is the demo until an installation is set up', () => {
    expect(mode()).to.equal('demo');
    expect(mode(['--setup'])).to.equal('setup');
    setUp();
    expect(mode()).to.equal('own');
    expect(mode([], { FORENOON_DATA_DIR: 'elsewhere' })).to.equal('demo');
    expect(mode(['--setup'])).to.equal('setup');
  });

  it('is still the demo when that is asked for', () => {
    setUp();
    for (const flags of [['--demo'], ['--watch'], ['--export', 'x.json'], ['--crm-contacts=x.json']]) {
      expect(mode(flags), flags.join(' ')).to.equal('demo');
    }
    expect(mode([], { SANDBOX_EXPORT: 'x.json' })).to.equal('demo');
  });

  it('is never the demo in production', () => {
    const env = { NODE_ENV: 'production' };
    for (const flags of [[], ['--demo'], ['--watch'], ['--export', 'x.json']]) {
      expect(mode(flags, env), flags.join(' ')).to.equal('serve');
    }
    setUp();
    expect(mode([], env)).to.equal('own');
    expect(mode(['--demo'], env)).to.equal('serve');
  });
});
