import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseMode, readStartSettings } from '../../sandbox/startSettings.ts';

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readStartSettings(args, env, '/checkout');

describe('The settings of npm start', () => {
  it('need nothing', () => {
    const { ports, dataDir, exportFile } = read([]);
    expect(ports).to.deep.equal({ web: 3000, page: 3001, messenger: 20_443, crm: 3002, payments: 3003, mail: 3004 });
    expect(dataDir).to.equal('/checkout/.data');
    expect(exportFile).to.equal(undefined);
  });

  it('take an export by flag or variable, from where the person stood', () => {
    expect(read(['--export', 'mine.json'], { INIT_CWD: '/somewhere' }).exportFile).to.equal('/somewhere/mine.json');
    expect(read([], { SANDBOX_EXPORT: '/tmp/other.json' }).exportFile).to.equal('/tmp/other.json');
  });

  it('take contacts for the CRM in the same ways', () => {
    const { crmContactsFile } = read(['--crm-contacts', 'crm.json'], { INIT_CWD: '/somewhere' });
    expect(crmContactsFile).to.equal('/somewhere/crm.json');
    expect(read([], { SANDBOX_CRM_CONTACTS: '/tmp/crm.json' }).crmContactsFile).to.equal('/tmp/crm.json');
    expect(read([]).given.crmKeys).to.equal(false);
    expect(read([], { CRM_CLIENT_ID: 'ours' }).given.crmKeys).to.equal(true);
  });

  it('refuse a flag that does not exist, and one without its value', () => {
    expect(() => read(['--exprot', 'x'])).to.throw(/'--exprot'.*--help/);
    expect(() => read(['--export'])).to.throw(/--export/);
    expect(() => read(['x'])).to.throw(/'x'/);
  });

  it('refuse a messenger port its library could not use', () => {
    expect(() => read([], { MESSENGER_PORT: '40000' })).to.throw(/MESSENGER_PORT.*32767/);
    expect(() => read([], { PORT: 'eighty' })).to.throw(/PORT/);
  });
});

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
