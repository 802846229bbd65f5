import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Left to right: each cell may import the cells to its left; those in one cell don't know each other. */
const FEATURES = [
  ['alerts', 'users'],
  ['signIn', 'schedule', 'billing', 'crmThrottle', 'requirements', 'aiPlaces', 'tokens'],
  ['settings', 'crm', 'mailing'],
  ['mailSettings', 'crmWebhooks', 'dialogs'],
  ['consent', 'prominence'],
  ['messenger', 'assistants'],
  ['messengerLogin', 'comparison'],
  ['matching'],
  ['contacts'],
  ['review', 'digests'],
  ['writing', 'search', 'promises'],
  ['recording', 'waiting', 'answers'],
  ['promisePage', 'outbox'],
  ['agenda', 'notePlan', 'promiseEdits'],
  ['navigation', 'contactProperties', 'taskPlan', 'calendar'],
  ['notes'],
  ['sync', 'tasks'],
  ['syncRun', 'forecast'],
  ['rewrites', 'digestDeletion', 'deletion', 'dataExport'],
  ['ask', 'cleanUp', 'onboarding', 'conversation'],
  ['account', 'brief', 'privacy', 'today', 'week'],
  ['digestMail', 'weekMail', 'connectedApps', 'mcp'],
  ['admin', 'setup'],
  ['clock'],
];

/** Which room a table belongs to. */
const TABLES: Record<string, string> = {
  ...{ alerts: 'alerts', users: 'users', user_sessions: 'users', written_answers: 'answers' },
  ...{ sync_configs: 'schedule', subscriptions: 'billing', payment_events: 'billing', crm_connections: 'crm' },
  ...{ crm_throttles: 'crmThrottle', crm_webhook_counts: 'crmWebhooks', crm_webhook_events: 'crmWebhooks' },
  ...{ dialogs: 'dialogs', writer_choices: 'consent', messenger_accounts: 'messenger', first_runs: 'onboarding' },
  ...{ messenger_logins: 'messengerLogin', rejected_matches: 'matching', crm_requirements: 'requirements' },
  ...{ match_decisions: 'matching', digests: 'digests', promises: 'promises', assistant_consents: 'assistants' },
  ...{ waiting_questions: 'waiting', outbox_tasks: 'promises', clean_up_holds: 'cleanUp', api_tokens: 'tokens' },
  ...{ digest_rewrites: 'digests', digest_changes: 'notePlan', outbox_notes: 'outbox', sent_mails: 'mailing' },
  ...{ sync_jobs: 'sync', sync_job_names: 'sync', sync_counters: 'sync', calendar_feeds: 'calendar' },
  ...{ worker_heartbeats: 'admin', heartbeat_troubles: 'admin', sign_in_tokens: 'signIn', ai_places: 'aiPlaces' },
};

/** Tables whose rows belong to no user, and the users themselves. */
const OF_NO_USER = new Set([
  ...['alerts', 'users', 'sign_in_tokens', 'payment_events', 'ai_places', 'crm_throttles', 'crm_webhook_counts'],
  ...['crm_webhook_events', 'worker_heartbeats', 'heartbeat_troubles', 'clean_up_holds'],
]);

/** What a file of a feature may be called, unless it is named like a function that it exports. */
const LISTED = ['api', 'openapi', 'pages', 'present', 'webhook', 'jobs', 'service', 'repo', 'rules', 'schema'];

/** Files in one room, at most. A room that would be larger holds a second subject. */
const ROOM_SIZE = 16;

type Source = { path: string; text: string; imports: string[] };

const sources = sourcesUnder('src');
const features = sources.filter(({ path }) => path.startsWith('src/features/'));
const repos = features.filter(({ path }) => basename(path) === 'repo.ts');

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

  it('lets the sandbox import only lib, config, what production runs instead, and itself', () => {
    const allowed = (path: string) => /^(sandbox\/|src\/lib\/|src\/(config|serve)\.ts$)/.test(path);
    expect(offences(sourcesUnder('sandbox'), allowed)).to.deep.equal([]);
  });

  it('starts with production dependencies alone, and imports a sandbox server when it is needed', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const entries = ['sandbox/start', 'src/web', 'src/worker', 'src/migrate', 'src/serve', 'src/rotateKeys'];
    const all = entries.flatMap(entry => packagesImportedBy(`${entry}.ts`));
    expect(all.filter(([name]) => !(name in dependencies))).to.deep.equal([]);
  });

  it('keeps the product free of imports from the sandbox', () => {
    expect(arrows('src/', path => path.startsWith('src/'))).to.deep.equal([]);
  });

  it('builds the API description from those of the features, and those from their schemas', () => {
    const ofFeature = /^src\/(http\/|features\/\w+\/openapi\.ts$)/;
    expect(arrows('src/openapi.ts', path => ofFeature.test(path))).to.deep.equal([]);
    const described = sources.filter(({ path }) => /^src\/features\/\w+\/openapi\.ts$/.test(path));
    expect(offences(described, path => /^src\/(http\/|features\/\w+\/schema\.ts$)/.test(path))).to.deep.equal([]);
  });

  it('lets a feature import only features to its left, http at its doors, and the types of clients', () => {
    const wrong = features.flatMap(source => offences([source], target => featureMayImport(source.path, target)));
    expect(wrong).to.deep.equal([]);
  });

  it('names each file of a feature from the list, or after a function that it exports', () => {
    expect(features.filter(source => !isNamedByTheList(source)).map(({ path }) => path)).to.deep.equal([]);
  });

  it('has no room with more than 16 files', () => {
    const rooms = Map.groupBy(features, ({ path }) => featureOf(path) ?? '');
    const large = [...rooms].filter(([, files]) => files.length > ROOM_SIZE).map(([room]) => room);
    expect(large).to.deep.equal([]);
  });

  it('is described room by room in docs/ARCHITECTURE.md, in the order of the arrows', () => {
    const page = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ((?:`\w+`,? ?)+)\| /gm)].map(([, cell = '']) => cell.match(/\w+/g));
    expect(rows).to.deep.include.members(FEATURES);
    expect([...new Set(features.map(({ path }) => featureOf(path)))]).to.have.members(FEATURES.flat());
  });

  it('has no circular imports, types included', () => {
    expect(circlesIn(sources)).to.deep.equal([]);
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
    const allowed = /(\/repo\.ts|^src\/lib\/.*|^src\/http\/health\.ts)$/;
    const wrong = sources.filter(({ path, text }) => sql.test(text) && !allowed.test(path)).map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });

  it('filters by user id in every statement on rows of users, except in functions named OfAllUsers', () => {
    const wrong = repos.flatMap(({ path, text }) =>
      text
        .split(/\n(?=export (?:async )?function )/)
        .slice(1)
        .filter(body => tablesIn(body).some(table => !OF_NO_USER.has(table)) && !/user_?id/i.test(body))
        .map(body => body.match(/function (\w+)/)?.[1] ?? '')
        .filter(name => !name.endsWith('OfAllUsers'))
        .map(name => `${path}: ${name}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('lets a repo read the tables of its own room and of those to its left', () => {
    const wrong = repos.flatMap(({ path, text }) => {
      const room = featureOf(path) ?? '';
      return tablesIn(text)
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

  it('has no file longer than 300 lines', () => {
    const all = [...sources, ...sourcesUnder('sandbox'), ...sourcesUnder('test'), ...sourcesUnder('bench')];
    const long = all.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).to.deep.equal([]);
  });
});

function isNamedByTheList({ path, text }: Source): boolean {
  const name = basename(path, '.ts');
  const isPrefixed = LISTED.some(listed => name.toLowerCase().endsWith(listed) || /^present[A-Z]/.test(name));
  return (
    LISTED.includes(name) || (!isPrefixed && new RegExp(`^export (async )?function\\*? ${name}\\b`, 'm').test(text))
  );
}

/** The tables that statements in this text name; those for records of any kind that go to the CRM count as those for notes. */
function tablesIn(text: string): string[] {
  const names = `(?:\\b(?:from|join|into|update|using) |[dt]\\w\\('|[jJ]oin\\('|deleteOlder\\(\\w+, ')(${Object.keys(TABLES).join('|')})\\b`;
  const named = text.replaceAll(/\$\{(kind\.)?table\}/g, 'outbox_notes').matchAll(new RegExp(names, 'g'));
  return [...new Set([...named].map(([, table = '']) => table))];
}

/** Files that can reach themselves by imports, one list for each circle (Tarjan's strongly connected components). */
function circlesIn(files: Source[]): string[][] {
  const imports = new Map(files.map(({ path, imports: targets }) => [path, targets]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const number = order.size;
    order.set(path, number);
    lowest.set(path, number);
    open.push(path);
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue;
      const reached = order.has(target)
        ? open.includes(target)
          ? (order.get(target) ?? number)
          : number
        : visit(target);
      lowest.set(path, Math.min(lowest.get(path) ?? number, reached));
    }
    const low = lowest.get(path) ?? number;
    if (low === number) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles;
}

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
  return other !== undefined && (own === other || cellOf(other) < cellOf(own ?? ''));
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
