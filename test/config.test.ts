import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadConfig, VARIABLE_NAMES } from '../src/config.ts';
import { MAIL, production, REQUIRED, refusal } from './support/environment.ts';

const development = { ...REQUIRED, APP_URL: 'http://127.0.0.1:3000', NODE_ENV: 'development' };

describe('The configuration', () => {
  it('is for production unless NODE_ENV says test or development', () => {
    for (const NODE_ENV of [undefined, '', 'production', 'staging', 'Development', 'prod']) {
      expect(loadConfig({ ...production, NODE_ENV }).mode, String(NODE_ENV)).to.equal('production');
    }
    expect(loadConfig(development).mode).to.equal('development');
    expect(loadConfig({ ...development, NODE_ENV: 'test' }).mode).to.equal('test');
  });

  it('names everything that is missing, and only that', () => {
    const named = (message: string) => [...message.matchAll(/^ {2}(\w+): is required$/gm)].map(match => match[1]);
    expect(named(refusal({}))).to.have.members([...Object.keys(REQUIRED), ...Object.keys(MAIL)]);
    expect(named(refusal({ NODE_ENV: 'development' }))).to.have.members(Object.keys(REQUIRED));
    for (const name of Object.keys(production)) {
      expect(named(refusal({ ...production, [name]: undefined })), name).to.deep.equal([name]);
      expect(named(refusal({ ...production, [name]: '' })), `${name} empty`).to.deep.equal([name]);
    }
  });

  it('rejects everything of the sandbox in production', () => {
    const SANDBOX_URL = 'http://127.0.0.1:3001';
    expect(refusal({ ...production, SANDBOX_URL })).to.include('SANDBOX_URL: exists in development only');
    expect(refusal({ ...development, SANDBOX_URL })).to.equal('');
  });

  it('requires no mail where an owner can sign in from the terminal', () => {
    const own = { ...REQUIRED, OWNER_EMAIL: ' Nora@Example.com ' };
    expect(loadConfig(own).ownerEmail).to.equal('nora@example.com');
    expect(loadConfig(production).ownerEmail).to.equal(undefined);
    expect(refusal({ ...own, MAIL_URL: MAIL.MAIL_URL })).to.include('MAIL_URL and MAIL_FROM: go together');
  });

  it('accepts a model of the vendor with a key, and one at another address without', () => {
    const [key, model, url] = [{ AI_API_KEY: 'k' }, { AI_MODEL: 'm' }, { AI_API_URL: 'http://127.0.0.1:11434/v1' }];
    for (const ai of [{}, url, { ...key, ...model }, { ...model, ...url }, { ...key, ...model, ...url }]) {
      expect(refusal({ ...production, ...ai }), Object.keys(ai).join()).to.equal('');
    }
    expect(refusal({ ...production, ...key, ...url })).to.include('AI_API_KEY and AI_MODEL: go together');
    expect(refusal({ ...production, ...model })).to.include('AI_MODEL: needs AI_API_KEY, or AI_API_URL');
  });

  it('requires an owner for the key of a CRM account, and excludes an app beside it', () => {
    const key = { ...development, CRM_ACCESS_TOKEN: 'pat-eu1-0f7e2c3b' };
    const own = { ...key, OWNER_EMAIL: 'nora@example.com' };
    expect(refusal(key)).to.include('CRM_ACCESS_TOKEN: needs OWNER_EMAIL').and.not.include('pat-eu1');
    expect(refusal(own)).to.equal('');
    expect(refusal({ ...own, CRM_CLIENT_ID: 'id', CRM_CLIENT_SECRET: 'secret' })).to.include('set one of them');
  });

  it('starts outside production only on loopback', () => {
    for (const NODE_ENV of ['development', 'test']) {
      const open = (APP_URL: string) => refusal({ ...development, NODE_ENV, APP_URL });
      for (const host of ['localhost', 'forenoon.localhost', '127.0.0.1', '127.3.2.1', '127.1', '[::1]', 'LOCALHOST']) {
        expect(open(`http://${host}:4711`), host).to.equal('');
      }
      for (const host of ['forenoon.example', '192.168.1.2', '0.0.0.0', '[::]', '[::2]', '128.0.0.1']) {
        expect(open(`http://${host}:3000`), host).to.include('APP_URL: must be a loopback address');
        expect(open(`https://${host}`), host).to.include('APP_URL: must be a loopback address');
      }
    }
  });

  it('refuses http on the internet in production, and warns of it elsewhere', () => {
    const ai = { AI_API_KEY: 'k', AI_MODEL: 'm' };
    for (const name of ['APP_URL', 'AI_API_URL', 'CRM_API_URL', 'PAYMENT_API_URL', 'ADMIN_MESSENGER_API_URL']) {
      for (const host of ['forenoon.example', '8.8.8.8', '172.32.0.1', '[2606:4700::1111]', 'localhost.example']) {
        const env = { ...production, ...ai, [name]: `http://${host}` };
        expect(refusal(env), `${name} ${host}`).to.include(`${name}: must be https`).and.not.include(host);
        expect(loadConfig({ ...env, [name]: `https://${host}` }).warnings).to.deep.equal([]);
      }
      for (const host of ['10.1.2.3', '192.168.1.2', '[fd00::1]', 'ollama', 'box.local']) {
        const { warnings } = loadConfig({ ...production, ...ai, [name]: `http://${host}:8080/v1` });
        expect(warnings, `${name} ${host}`).to.have.length(1);
        expect(warnings[0]).to.match(new RegExp(`^WARNING: ${name} is http`));
      }
    }
  });

  it('does not warn of http that never leaves the machine', () => {
    const warned = (env: NodeJS.ProcessEnv) => loadConfig({ ...production, ...env }).warnings.length;
    const APP_URL = 'http://localhost:3000';
    expect(warned({ APP_URL })).to.equal(1);
    expect(warned({ APP_URL, HOST: '0.0.0.0' })).to.equal(1);
    for (const HOST of ['127.0.0.1', 'localhost']) expect(warned({ APP_URL, HOST }), HOST).to.equal(0);
    expect(warned({ AI_MODEL: 'm', AI_API_URL: 'http://127.0.0.1:11434/v1' })).to.equal(0);
  });

  it('warns of mail without TLS to another machine and of a short admin key, in production', () => {
    const warned = (env: NodeJS.ProcessEnv) => loadConfig({ ...production, ...env }).warnings.join();
    const clear = ['smtp://mail.example', 'smtp://u:p@mail.example?requireTLS=false', 'smtp://10.0.0.2:25'];
    for (const MAIL_URL of clear) expect(warned({ MAIL_URL }), MAIL_URL).to.include('MAIL_URL does not require TLS');
    const safe = ['smtps://mail.example', 'smtp://u:p@mail.example', 'smtp://mail.example?requireTLS=true'];
    for (const MAIL_URL of [...safe, 'smtp://localhost:25', 'smtp://127.0.0.1']) {
      expect(warned({ MAIL_URL }), MAIL_URL).to.equal('');
    }
    expect(warned({ ADMIN_API_KEY: 'x'.repeat(23) }))
      .to.include('ADMIN_API_KEY is shorter than 24')
      .and.not.include('xx');
    expect(warned({ ADMIN_API_KEY: 'x'.repeat(24) })).to.equal('');
    expect(loadConfig({ ...development, ADMIN_API_KEY: 'short' }).warnings).to.deep.equal([]);
  });

  it('rejects a pair with only one half set', () => {
    const pairs = [
      ['MESSENGER_SERVER', 'MESSENGER_SERVER_KEY'],
      ['CRM_CLIENT_ID', 'CRM_CLIENT_SECRET'],
      ['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET'],
      ['ADMIN_MESSENGER_BOT_TOKEN', 'ADMIN_MESSENGER_CHAT_ID'],
    ] as const;
    for (const [a, b] of pairs) {
      const value = a === 'MESSENGER_SERVER' ? '127.0.0.1:443' : 'YWJjZA==';
      expect(refusal({ ...production, [a]: value })).to.include(`${a} and ${b}: go together`);
      expect(refusal({ ...production, [b]: 'YWJjZA==' })).to.include(`${a} and ${b}: go together`);
      expect(refusal({ ...production, [a]: value, [b]: 'YWJjZA==' })).to.equal('');
    }
    for (const name of ['MAIL_URL', 'MAIL_FROM'] as const) {
      expect(refusal({ ...development, [name]: MAIL[name] })).to.include('MAIL_URL and MAIL_FROM: go together');
    }
    expect(refusal({ ...development, ...MAIL })).to.equal('');
  });

  it('says what is wrong in words, and never repeats a value', () => {
    const wrong: [name: string, value: string, words: RegExp][] = [
      ['DATABASE_URL', 'mysql://hush@db', /URL/],
      ['APP_URL', 'hush.example', /URL/],
      ['APP_URL', 'javascript:hush', /URL/],
      ['OWNER_EMAIL', 'hush', /an email address/],
      ['SESSION_SECRET', 'hush', /at least 32 characters/],
      ['ENCRYPTION_KEY', 'hush', /32 bytes in base64/],
      ['ENCRYPTION_KEY', `${REQUIRED.ENCRYPTION_KEY},hush`, /32 bytes in base64/],
      ['MESSENGER_API_ID', 'hush', /must be a number/],
      ['MESSENGER_API_ID', '1.5', /must be a whole number/],
      ['MESSENGER_SERVER', 'hush', /host:port/],
      ['MESSENGER_SERVER_KEY', 'hush!', /base64/],
      ['CRM_API_URL', 'hush', /URL/],
      ['MAIL_URL', 'https://hush', /URL/],
      ['MAIL_FROM', 'hush', /an address, or Name <address>/],
      ['MAIL_FROM', 'Hush <hush@hush.example>\r\nBcc: hush@hush.example', /an address, or Name <address>/],
      ['MAIL_FROM', 'a@hush.example, b@hush.example', /an address, or Name <address>/],
      ['REDIS_URL', 'http://hush', /URL/],
      ['PORT', 'hush', /must be a number/],
      ['PORT', '70000', /65535/],
      ['TRUST_PROXY', 'true', /how many proxies/],
      ['TRUST_PROXY', '10.0.0.0/8,hush', /how many proxies/],
      ['TRUST_PROXY', '0.0.0.0/0', /how many proxies/],
      ['DATABASE_POOL', '0', /2/],
      ['LOG_LEVEL', 'hush', /trace/],
      ['RATE_LIMIT_API', '-1', /1/],
    ];
    for (const [name, value, words] of wrong) {
      const message = refusal({ ...production, [name]: value });
      expect(message, `${name}=${value}`).to.match(new RegExp(`^ {2}${name}: .*${words.source}`, 'm'));
      expect(message).not.to.include('hush');
      for (const secret of Object.values(production)) expect(message).not.to.include(secret);
    }
  });

  it('accepts proxies by number and by address', () => {
    const trusted = (TRUST_PROXY: string) => loadConfig({ ...production, TRUST_PROXY }).trustProxy;
    expect(trusted('2')).to.equal(2);
    for (const addresses of ['loopback', '10.0.0.0/8, 192.168.1.1', '2001:db8::1/64,uniquelocal']) {
      expect(trusted(addresses)).to.equal(addresses);
    }
  });

  it('keeps the origin of the address only, and several encryption keys in their order', () => {
    const keys = [randomBytes(32), randomBytes(32)];
    const ENCRYPTION_KEY = keys.map(key => key.toString('base64')).join(', ');
    const config = loadConfig({ ...production, ENCRYPTION_KEY });
    expect(config.appUrl).to.equal('https://forenoon.example');
    expect(config.encryptionKeys).to.deep.equal(keys);
  });
});

describe('.env.example', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n');
  const isVariable = (line = '') => /^(# )?[A-Z][A-Z_]+=/.test(line);
  const nameOf = (line: string) => line.replace(/^# /, '').split('=')[0];

  it('lists every variable of the configuration, and no other', () => {
    const names = lines.filter(isVariable).map(nameOf);
    expect(names).to.have.members(['NODE_ENV', ...VARIABLE_NAMES]);
  });

  it('explains each of them', () => {
    const unexplained = lines.filter((line, index) => isVariable(line) && !explanationAbove(index));
    expect(unexplained).to.deep.equal([]);
  });

  it('switches on what production needs, and nothing else', () => {
    const active = lines.filter(line => isVariable(line) && !line.startsWith('#')).map(nameOf);
    expect(active).to.have.members(Object.keys(production));
  });

  it('shows the actual default values', () => {
    const shown = lines.filter(isVariable).map(line => line.replace(/^# /, '').split('=') as [string, string]);
    const isDefault = ([name]: [string, string]) =>
      /^(PORT|DATABASE_POOL|SYNC_CONCURRENCY|DIGEST_CONCURRENCY|AI_FORMAT|AI_CONTEXT_TOKENS|LOG_LEVEL|RATE_LIMIT_\w+)$/.test(
        name,
      );
    const defaults = shown.filter(isDefault);
    expect(defaults).to.have.length.above(18);
    expect(loadConfig({ ...production, ...Object.fromEntries(defaults) })).to.deep.equal(loadConfig(production));
  });

  /** Variables that go together may share a comment. */
  function explanationAbove(index: number): boolean {
    let above = index - 1;
    while (isVariable(lines[above])) above--;
    return /^# \S/.test(lines[above] ?? '');
  }
});
