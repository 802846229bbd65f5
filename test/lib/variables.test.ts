import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig, VARIABLE_NAMES } from '../../src/config.ts';
import { production, refusal } from '../support/environment.ts';

/** A value for each variable that production may have, beside what it needs. */
function everyVariable(): Record<string, string> {
  const special: Record<string, string> = {
    ...{
      MESSENGER_SERVER: '127.0.0.1:443',
      LOG_LEVEL: 'warn',
      AI_CONTEXT_TOKENS: '5000',
      AI_FORMAT: 'text',
      FORENOON_SUPERVISED: '1',
      OWNER_EMAIL: 'a@own.example',
    },
    ...{ REDIS_URL: 'redis://127.0.0.1', HOST: '127.0.0.1' },
  };
  const valueFor = (name: string) =>
    special[name] ?? (name.endsWith('_API_URL') || name.endsWith('_APP_URL') ? 'https://else.example' : '50');
  const names = VARIABLE_NAMES.filter(name => !(name in production) && name !== 'SANDBOX_URL');
  return { ...Object.fromEntries(names.map(name => [name, valueFor(name)])), MESSENGER_SERVER_KEY: 'YWJjZA==' };
}

describe('Variables given as files', () => {
  it('are read instead of the variable, each, less the newline at its end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forenoon-config-'));
    const fileEnv = (values: Record<string, string>, end: string) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => {
          writeFileSync(join(folder, name), `${value}${end}`);
          return [`${name}_FILE`, join(folder, name)];
        }),
      );
    const every: Record<string, string> = { ...production, ...everyVariable(), PORT: '4711' };
    const { CRM_ACCESS_TOKEN, ...withApp } = every;
    const { CRM_CLIENT_ID, CRM_CLIENT_SECRET, ...withKey } = every;
    for (const end of ['', '\n', '\r\n', '\n\n']) {
      for (const values of [withApp, withKey]) expect(loadConfig(fileEnv(values, end))).to.deep.equal(loadConfig(values));
    }
    expect(Object.keys(every)).to.have.members(VARIABLE_NAMES.filter(name => name !== 'SANDBOX_URL'));
    rmSync(folder, { recursive: true });
  });

  it('are refused when unreadable, or beside the variable, in one sentence without path or content', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forenoon-hush-'));
    let files = 0;
    const file = (text: string) => {
      const path = join(folder, `${++files}`);
      writeFileSync(path, text);
      return path;
    };
    const { MAIL_URL: _, ...rest } = production;
    const wrong: [env: NodeJS.ProcessEnv, words: string][] = [
      [{ ...rest, MAIL_URL_FILE: join(folder, 'missing') }, 'MAIL_URL_FILE: there is no such file'],
      [{ ...rest, MAIL_URL_FILE: folder }, 'MAIL_URL_FILE: is not the path of a file'],
      [{ ...rest, MAIL_URL_FILE: '/dev/zero' }, 'MAIL_URL_FILE: is not the path of a file'],
      [{ ...rest, MAIL_URL_FILE: `${file('\n')}/x` }, 'MAIL_URL_FILE: the file can’t be read (ENOTDIR)'],
      [{ ...rest, MAIL_URL_FILE: file('\n') }, 'MAIL_URL_FILE: the file is empty'],
      [{ ...rest, MAIL_URL_FILE: file('hush'.repeat(17_000)) }, 'MAIL_URL_FILE: the file is larger than 64 KiB'],
      [{ ...production, MAIL_URL_FILE: file('smtps://hush') }, 'MAIL_URL and MAIL_URL_FILE: only one of them may be set'],
    ];
    for (const [env, words] of wrong) {
      const message = refusal(env);
      expect(message).to.equal(`Forenoon can't start with this configuration:\n  ${words}`).and.not.include('hush');
    }
    expect(refusal({ ...rest, MAIL_URL_FILE: file('hush\n') }))
      .to.match(/ {2}MAIL_URL: .*URL/)
      .and.not.include('hush');
    rmSync(folder, { recursive: true });
  });
});
