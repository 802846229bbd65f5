import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Left to right: each cell may import the cells to its left; those in one cell don't know each other. */
const FEATURES = [
  ['alerts', 'users'],
  ['signIn', 'schedule', 'billing', 'crmThrottle'],
  ['settings', 'crm'],
  ['mailSettings', 'crmWebhooks', 'dialogs'],
  ['consent'],
  ['messenger'],
  ['messengerLogin', 'comparison'],
  ['matching'],
  ['contacts'],
  ['review', 'digests'],
  ['writing', 'search', 'actionItems'],
  ['notes'],
  ['sync'],
  ['syncRun', 'forecast'],
  ['rewrites', 'deletion', 'dataExport'],
  ['cleanUp', 'onboarding', 'conversation'],
  ['account', 'privacy', 'today'],
  ['digestMail'],
  ['admin'],
];

/** Which room a table belongs to. */
const TABLES: Record<string, string> = {
  ...{ alerts: 'alerts', users: 'users', user_sessions: 'users', sign_in_tokens: 'signIn' },
  ...{ sync_configs: 'schedule', subscriptions: 'billing', payment_events: 'billing', crm_connections: 'crm' },
  ...{ crm_throttles: 'crmThrottle', crm_webhook_counts: 'crmWebhooks', crm_webhook_events: 'crmWebhooks' },
  ...{ dialogs: 'dialogs', writer_choices: 'consent', messenger_accounts: 'messenger' },
  ...{ messenger_logins: 'messengerLogin', contact_matches: 'matching', rejected_matches: 'matching' },
  ...{ match_decisions: 'matching', digests: 'digests', action_ticks: 'digests', open_items: 'digests' },
  ...{ digest_rewrites: 'digests', digest_changes: 'notes', crm_notes: 'notes', sync_jobs: 'sync' },
  ...{ sync_job_names: 'sync', sync_counters: 'sync', first_runs: 'onboarding', digest_mails: 'digestMail' },
  ...{ worker_heartbeats: 'admin', heartbeat_troubles: 'admin' },
};

type Source = { path: string; text: string; imports: string[] };

const sources = sourcesUnder('src');

describe('The architecture', () => {
  it('lets lib import nothing but lib', () => {
    expect(arrows('src/lib/', path => path.startsWith('src/lib/'))).to.deep.equal([]);
  });

  it('lets config import nothing but lib', () => {
    expect(arrows('src/config.ts', path => path.startsWith('src/lib/'))).to.deep.equal([]);
  });

  it('lets clients import only clients and lib', () => {
    expect(arrows('src/clients/', path => /^src\/(clients|lib)\//.test(path))).to.deep.equal([]);
  });

  it('lets http import no feature', () => {
    const allowed = (path: string) => /^src\/(http|lib)\//.test(path) || path === 'src/clients/errors.ts';
    expect(arrows('src/http/', allowed)).to.deep.equal([]);
  });

  it('lets the sandbox import only lib, config and itself', () => {
    const allowed = (path: string) => /^(sandbox|src\/lib)\//.test(path) || path === 'src/config.ts';
    expect(offences(sourcesUnder('sandbox'), allowed)).to.deep.equal([]);
  });

  it('starts with production dependencies alone, and imports a sandbox server when it is needed', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const wrong = packagesImportedBy('sandbox/start.ts').filter(([name]) => !(name in dependencies));
    expect(wrong).to.deep.equal([]);
  });

  it('keeps the product free of imports from the sandbox', () => {
    expect(arrows('src/', path => path.startsWith('src/'))).to.deep.equal([]);
  });

  it('describes the API from the descriptions of features, and those from their schemas', () => {
    const ofFeature = /^src\/(http\/|features\/\w+\/openapi\.ts$)/;
    expect(arrows('src/openapi.ts', path => ofFeature.test(path))).to.deep.equal([]);
    const described = sources.filter(({ path }) => /^src\/features\/\w+\/openapi\.ts$/.test(path));
    expect(offences(described, path => /^src\/(http\/|features\/\w+\/schema\.ts$)/.test(path))).to.deep.equal([]);
  });

  it('lets a feature import only features to its left, http at its doors, and the types of clients', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('src/features/'))
      .flatMap(source => offences([source], target => featureMayImport(source.path, target)));
    expect(wrong).to.deep.equal([]);
  });

  it('builds clients in deps.ts only', () => {
    const others = sources.filter(({ path }) => path !== 'src/deps.ts' && !path.startsWith('src/clients/'));
    const isContract = (path: string) => !path.startsWith('src/clients/') || /\/(types|errors)\.ts$/.test(path);
    expect(offences(others, isContract)).to.deep.equal([]);
  });

  it('reads the environment in config.ts only', () => {
    const readers = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ path }) => path);
    expect(readers).to.deep.equal(['src/config.ts']);
  });

  it('writes SQL in repo files, the shared tools and the health check only', () => {
    const sql = /\b(db|trx)\(['"`]|\b(db|trx)\.raw\(/;
    const allowed = /([Rr]epo\.ts|^src\/lib\/.*|^src\/http\/health\.ts)$/;
    const wrong = sources.filter(({ path, text }) => sql.test(text) && !allowed.test(path)).map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });

  it('filters by user id in every statement on rows of users', () => {
    // Whose a payment event is, is what it is read for.
    const ofEvents = ['src/features/billing/repo.ts'];
    // What belongs to an account of the CRM belongs to no user: the line its calls stand in, and what it tells.
    const ofAccounts = ['src/features/crmThrottle/repo.ts', 'src/features/crmWebhooks/repo.ts'];
    // What the operator sees is counted over all users.
    const ofOperator = ['src/features/alerts/repo.ts', 'src/features/admin/repo.ts'];
    // Whose time has come is asked over all users.
    const ofSchedule = ['src/features/schedule/repo.ts'];
    // Who opens a link may be nobody's user yet.
    const ofAddresses = ['src/features/signIn/repo.ts'];
    const free = new Set([
      'src/features/users/repo.ts',
      ...ofAddresses,
      ...ofSchedule,
      ...ofAccounts,
      ...ofOperator,
      ...ofEvents,
    ]);
    // What is too old is so for everybody.
    const isOfAge = (path: string) => path.endsWith('/forgetRepo.ts');
    const statement = /\b(db|trx)\(['"`]|\.raw(<.*>)?\(\s*['"`]\s*(select|insert|update|delete|with)\b/;
    const repos = sources.filter(({ path }) => /[Rr]epo\.ts$/.test(path) && !free.has(path) && !isOfAge(path));
    const wrong = repos.flatMap(({ path, text }) =>
      text
        .split(/\n(?=export (?:async )?function )/)
        .slice(1)
        .filter(body => statement.test(body) && !/user_?id/i.test(body))
        .map(body => `${path}: ${body.split('(')[0]}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('lets a repo read the tables of its own room and of those to its left', () => {
    const repos = sources.filter(({ path }) => /^src\/features\/.*[Rr]epo\.ts$/.test(path));
    const read = new RegExp(
      `(?:\\b(?:from|join|into|update|using) |[dt]\\w\\('|[jJ]oin\\(')(${Object.keys(TABLES).join('|')})\\b`,
      'g',
    );
    const wrong = repos.flatMap(({ path, text }) => {
      const room = featureOf(path) ?? '';
      const tables = new Set([...text.matchAll(read)].map(([, table = '']) => table));
      return [...tables]
        .filter(table => TABLES[table] !== room && cellOf(TABLES[table] ?? '') >= cellOf(room))
        .map(table => `${path} reads ${table}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps migrations free of imports from the product', () => {
    const wrong = sourcesUnder('migrations').filter(({ text }) => /from '\.\.?\//.test(text));
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('names a migration by its time, table and operation', () => {
    const names = sourcesUnder('migrations').map(({ path }) => basename(path));
    expect(names.filter(name => !/^\d{14}_[a-z_]+(__[a-z_]+){1,2}\.ts$/.test(name))).to.deep.equal([]);
  });

  it('holds no file of more than 300 lines', () => {
    const all = [...sources, ...sourcesUnder('sandbox'), ...sourcesUnder('test'), ...sourcesUnder('bench')];
    const long = all.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).to.deep.equal([]);
  });
});

/** The offending arrows `from -> to` of the files under `prefix`. */
function arrows(prefix: string, allowed: (target: string) => boolean): string[] {
  return offences(
    sources.filter(({ path }) => path.startsWith(prefix)),
    allowed,
  );
}

function offences(from: Source[], allowed: (target: string) => boolean): string[] {
  return from.flatMap(({ path, imports }) =>
    imports.filter(target => !allowed(target)).map(target => `${path} -> ${target}`),
  );
}

/** The packages that a file and all it imports statically need when they are loaded, each with the file that imports it. */
function packagesImportedBy(entry: string): [name: string, path: string][] {
  const [seen, found] = [new Set([entry]), new Map<string, string>()];
  for (const path of seen) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )(?:[^;']* from )?'([^']+)'/gm)) {
      if (target.startsWith('.')) seen.add(join(dirname(path), target));
      else if (!target.startsWith('node:')) found.set(/^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target, path);
    }
  }
  return [...found];
}

function featureMayImport(from: string, target: string): boolean {
  if (/^src\/(lib|clients)\//.test(target)) return true;
  if (target.startsWith('src/http/'))
    return /^(api|openapi|pages|webhook|(route|show)[A-Z]\w*)\.ts$/.test(basename(from));
  const [own, other] = [featureOf(from), featureOf(target)];
  if (other === undefined) return false;
  return own === other || cellOf(other) < cellOf(own ?? '');
}

function featureOf(path: string): string | undefined {
  return path.match(/^src\/features\/([^/]+)\//)?.[1];
}

function cellOf(feature: string): number {
  const cell = FEATURES.findIndex(names => names.includes(feature));
  if (cell < 0) throw new Error(`${feature} is not in the order of the features`);
  return cell;
}

function sourcesUnder(folder: string): Source[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter(path => path.endsWith('.ts'))
    .map(path => join(folder, path))
    .map(path => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** Paths from the root of what a file imports of ours, static and dynamic. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, target = '']) => relative(ROOT, join(ROOT, dirname(path), target)));
}
