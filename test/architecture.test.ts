import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { circlesIn, ROOT, type Source, sourcesUnder } from './support/imports.ts';

/**
 * Top to bottom: a house may import those above it. In a house, left to right: each cell may import the cells to its left;
 * those in one cell don't know each other. A room named like its house is the files beside the others.
 */
const HOUSES: Record<string, string[][]> = {
  base: [['aiSlots', 'alerts', 'users'], ['settings'], ['mailing']],
  billing: [['billing']],
  crm: [['throttle'], ['crm']],
  messenger: [['dialogs'], ['consent'], ['messenger'], ['login']],
  contacts: [['matching'], ['contacts']],
  digests: [['digests'], ['writing']],
  promises: [['promises'], ['fromDigests', 'waiting'], ['list'], ['agenda'], ['calendar']],
  outbox: [['outbox'], ['notes'], ['tasks']],
  sync: [['sync'], ['run'], ['styleRewrites']],
  pages: [['ask', 'onboarding', 'review'], ['conversation'], ['brief', 'today', 'week', 'settings']],
  mail: [['daily', 'weekly']],
  assistants: [['tokens'], ['assistants'], ['mcp']],
  data: [['digestDeletion', 'account'], ['cleanUp'], ['privacy']],
  operator: [['admin', 'setup']],
};

/** Which room a table belongs to. */
const TABLES: Record<string, string> = {
  ...{ alerts: 'base/alerts', users: 'base/users', user_sessions: 'base/users', sign_in_tokens: 'base/users' },
  ...{ sync_configs: 'base/settings', sent_mails: 'base/mailing' },
  ...{ subscriptions: 'billing', payment_events: 'billing', closed_accounts: 'billing' },
  ...{ crm_connections: 'crm', crm_throttles: 'crm/throttle', crm_requirements: 'crm' },
  ...{ dialogs: 'messenger/dialogs', writer_choices: 'messenger/consent', messenger_accounts: 'messenger' },
  ...{ messenger_logins: 'messenger/login' },
  ...{ rejected_matches: 'contacts/matching', match_decisions: 'contacts/matching' },
  ...{ digests: 'digests', digest_rewrites: 'digests' },
  ...{
    promises: 'promises',
    promise_read_markers: 'promises',
    outbox_tasks: 'promises',
    waiting_questions: 'promises/waiting',
  },
  ...{ calendar_feeds: 'promises/calendar', digest_changes: 'outbox/notes', outbox_notes: 'outbox' },
  ...{ sync_jobs: 'sync', sync_counters: 'sync' },
  ...{ onboardings: 'pages/onboarding', written_answers: 'pages/ask', today_visits: 'pages/today' },
  ...{ api_tokens: 'assistants/tokens', assistant_consents: 'assistants' },
  ...{ worker_heartbeats: 'operator/admin', ongoing_incidents: 'operator/admin' },
};

/** Tables whose rows belong to no user, and the users themselves. */
const OF_NO_USER = new Set([
  ...['alerts', 'users', 'sign_in_tokens', 'payment_events', 'crm_throttles'],
  ...['worker_heartbeats', 'ongoing_incidents', 'closed_accounts'],
]);

/** By the name of a room as {@link roomOf} tells it: how far down its house is, and how far right it is there. */
const PLACES = new Map(
  Object.entries(HOUSES).flatMap(([name, cells], house) =>
    cells.flatMap((rooms, cell) => rooms.map(room => [room === name ? name : `${name}/${room}`, { house, cell }] as const)),
  ),
);

const sources = sourcesUnder('src');
const features = sources.filter(({ path }) => path.startsWith('src/features/'));
const repos = features.filter(({ path }) => ['repo.ts', 'fragments.ts'].includes(basename(path)));

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
    const ofFeature = /^src\/(http\/|features\/[\w/]+\/openapi\.ts$)/;
    expect(arrows('src/openapi.ts', path => ofFeature.test(path))).to.deep.equal([]);
    const described = sources.filter(({ path }) => /^src\/features\/[\w/]+\/openapi\.ts$/.test(path));
    expect(offences(described, path => /^src\/(http\/|features\/[\w/]+\/schema\.ts$)/.test(path))).to.deep.equal([]);
  });

  it('lets a room import only the houses above its own, the rooms to its left, http at its doors, and the types of clients', () => {
    const wrong = features.flatMap(source => offences([source], target => featureMayImport(source.path, target)));
    expect(wrong).to.deep.equal([]);
  });

  it('lets a house read through the repo of another, but write only through its service', () => {
    const wrong = features.flatMap(({ path, text }) =>
      repoImportsOf(path, text)
        .filter(({ repo }) => houseOf(path) !== houseOf(repo.path))
        .filter(({ repo, name }) => !isReading(repo, name))
        .map(({ repo, name }) => `${path} imports ${name} of ${repo.path}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('is described room by room in docs/ARCHITECTURE.md, in the order of the arrows', () => {
    const page = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)(?:\/(\w+))?` \| (\d) \| /gm)];
    const described = rows.map(([, house = '', room = house, level]) => [house, room, Number(level)]);
    const rooms = Object.entries(HOUSES).flatMap(([house, cells]) =>
      cells.flatMap((names, cell) => names.map(room => [house, room, cell + 1])),
    );
    expect(described).to.deep.equal(rooms);
    expect([...new Set(features.map(({ path }) => roomOf(path)))]).to.have.members([...PLACES.keys()]);
  });

  it('has no circular imports, types included', () => {
    expect(circlesIn(sources)).to.deep.equal([]);
  });

  it('builds clients in deps.ts only', () => {
    const others = sources.filter(({ path }) => path !== 'src/deps.ts' && !path.startsWith('src/clients/'));
    // The reader of days and the words of languages build and ask nothing.
    const isContract = (path: string) =>
      !path.startsWith('src/clients/') || /\/(types|errors)\.ts$|^src\/clients\/summarizer\/(days|languages)\//.test(path);
    expect(offences(others, isContract)).to.deep.equal([]);
  });

  it('reads the environment in config.ts only', () => {
    const readers = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ path }) => path);
    expect(readers).to.deep.equal(['src/config.ts']);
  });

  it('writes SQL in repo files, the shared tools, the health check and the session store only', () => {
    const sql = /\b(db|trx)\(['"`]|\b(db|trx)\.raw\(|\bsql`/;
    const allowed = /(\/(repo|fragments)\.ts|^src\/lib\/.*|^src\/http\/(health|sessionStore)\.ts)$/;
    const wrong = sources.filter(({ path, text }) => sql.test(text) && !allowed.test(path)).map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });

  it('filters by user id in every statement on rows of users, except in functions named OfAllUsers', () => {
    const wrong = repos.flatMap(({ path, text }) => unfilteredIn(text).map(name => `${path}: ${name}`));
    expect(wrong).to.deep.equal([]);
    const second =
      "export function readBoth(db) {\n  await db('dialogs').where({ user_id: id });\n  await db('dialogs').where({ id });";
    expect(unfilteredIn(`\n${second}`)).to.deep.equal(['readBoth']);
  });

  it('lets a repo read the tables of its own room, of those to its left and of the houses above', () => {
    const wrong = repos.flatMap(({ path, text }) => {
      const room = roomOf(path) ?? '';
      return tablesIn(text)
        .filter(table => TABLES[table] !== room && !isBefore(TABLES[table] ?? '', room))
        .map(table => `${path} reads ${table}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps migrations free of imports from the product', () => {
    const wrong = sourcesUnder('migrations').filter(({ text }) => /from '\.\.?\//.test(text));
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('has no file longer than 400 lines', () => {
    const all = [...sources, ...sourcesUnder('sandbox'), ...sourcesUnder('test'), ...sourcesUnder('bench')];
    const long = all.filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(({ path }) => path)).to.deep.equal([]);
  });
});

/** What a file imports of a repo, by name; the whole of it is `* as repo`. */
function repoImportsOf(path: string, text: string): { repo: Source; name: string }[] {
  const statements = text.matchAll(/^(?:import|export) (?:type )?(\* as \w+|\{[^}]*\}) from '([^']*\/repo\.ts)';/gm);
  return [...statements].flatMap(([, names = '', target = '']) => {
    const repo = repos.find(source => source.path === join(dirname(path), target));
    if (!repo) throw new Error(`${path} imports ${target}, which is no repo`);
    return (names.match(/\* as \w+|\w+(?: as \w+)?(?=[,\s])/g) ?? [])
      .filter(name => name !== 'type')
      .map(name => ({ repo, name: name.replace(/ as \w+$/, '') }));
  });
}

/** Whether a name of a repo is a type, a constant, or a function called like one that reads, which changes and locks no row. */
function isReading({ text }: Source, name: string): boolean {
  const parts = text.split(/\n(?=(?:export )?(?:async )?(?:function|const|type) )/);
  const [declared = ''] = parts.filter(part => new RegExp(`^export (async )?(function|const|type) ${name}\\b`).test(part));
  if (/^export (const|type) /.test(declared)) return true;
  const isNamedSo = /^(find|get|list|count|has|is|are|read|search|select|sum)([A-Z]|$)/.test(name);
  const writes =
    /\.(insert|update|merge|delete|del|forUpdate)\(|\b(insert into|delete from|update \w+( \w+)? set|for update|mark_promises_seen)\b/;
  return declared !== '' && isNamedSo && !writes.test(declared);
}

/** A call that begins a statement; other raw text is a part of one. */
const STATEMENT =
  /(?=\b(?:db|trx)\(')|(?=\b(?:(?:db|trx)\s*\.raw(?:<[^(]*>)?\(\s*['`]|(?:await|return) sql`)\s*(?:with|select|insert|update|delete)\b)/;

/** Pieces of SQL that choose the rows of one user. */
const SCOPES = /const (\w+) = (?:[`'].*\buser_id = |(?:\(.*\) =>\s+)?sql`[^`]*\buser_id = \$\{userId\})/g;

/** Inserts a whole row, whose user the database asks for. */
const INSERTS_ROW = /^\w+\('\w+'\)\s*\.insert\((?!.*\.merge\()/s;

/**
 * The functions and constants with a statement, from its call up to the next one, that has a table of users' rows and no
 * user id, nor a constant with one.
 */
function unfilteredIn(text: string): string[] {
  const texts = [text, ...repos.filter(({ path }) => path.endsWith('/fragments.ts')).map(({ text }) => text)].join('\n');
  const scopes = [...texts.matchAll(SCOPES)].map(([, name]) => new RegExp(`\\$\\{${name}\\b`));
  const isFiltered = (part: string) => /user_id/.test(part) || scopes.some(scope => scope.test(part));
  return text
    .split(/\n(?=(?:export )?(?:async )?(?:function|const) )/)
    .filter(body =>
      body
        .split(STATEMENT)
        .slice(1)
        .some(part => {
          const ofUsers = tablesIn(part).some(table => !OF_NO_USER.has(table));
          return ofUsers && !isFiltered(part) && !INSERTS_ROW.test(part);
        }),
    )
    .map(body => body.match(/(?:function|const) (\w+)/)?.[1] ?? '')
    .filter(name => !name.endsWith('OfAllUsers'));
}

/** The tables that statements in this text name; those for records of any kind that go to the CRM count as those for notes. */
function tablesIn(text: string): string[] {
  const names = `(?:\\b(?:from|join|into|update|using) |[dt]\\w\\('|[jJ]oin\\(')(${Object.keys(TABLES).join('|')})\\b`;
  const named = text.replaceAll(/\$\{(kind\.)?table\}/g, 'outbox_notes').matchAll(new RegExp(names, 'g'));
  return [...new Set([...named].map(([, table = '']) => table))];
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
  if (target.startsWith('src/http/')) return /^(api|openapi|pages|webhook|(route|show)[A-Z]\w*)\.ts$/.test(basename(from));
  const [own, other] = [roomOf(from), roomOf(target)];
  return own !== undefined && other !== undefined && (own === other || isBefore(other, own));
}

/** "digests/writing", or "digests" for the files of that house beside its rooms. */
function roomOf(path: string): string | undefined {
  const [, house, room] = path.match(/^src\/features\/(\w+)\/(?:(\w+)\/)?/) ?? [];
  return room ? `${house}/${room}` : house;
}

function houseOf(path: string): string | undefined {
  return roomOf(path)?.split('/')[0];
}

function isBefore(room: string, other: string): boolean {
  const [one, two] = [room, other].map(name => PLACES.get(name));
  if (!one || !two) throw new Error(`${room} or ${other} is not in the order of the houses`);
  return one.house === two.house ? one.cell < two.cell : one.house < two.house;
}
