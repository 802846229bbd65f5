import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sampleContacts } from '../sandbox/crm/seed.ts';
import { sampleWorld } from '../sandbox/messenger/samples.ts';
import { VARIABLE_NAMES } from '../src/config.ts';
import { KEPT_DAYS } from '../src/features/data/cleanUp/rules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/**/*.md', 'training/*.md'], { cwd: ROOT }).toSorted();
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { scripts, dependencies } = JSON.parse(read('package.json'));

/** Every file and folder of the project. */
const PATHS = globSync(['**/*', '.*', '.ci/*'], { cwd: ROOT, exclude: ['node_modules', '.git', '.data'] });

/** Of other programs, and in examples. */
const OTHERS = [
  'NODE_ENV',
  'PGSSLMODE',
  'NEW_DATABASE_URL',
  'NAME_FILE',
  'FORENOON_DATA_DIR',
  'OLLAMA_CONTEXT_LENGTH',
  'CHROMIUM_PATH',
];
const OTHER_PATHS = ['path/to/result.json', '.data/', '.vscode/mcp.json', 'claude_desktop_config.json'];

describe('The guides', () => {
  for (const page of PAGES) {
    const text = read(page);

    it(`${page} links to files that exist`, () => {
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
      expect(targets.filter(target => !existsSync(join(ROOT, dirname(page), target)))).to.deep.equal([]);
    });

    it(`${page} names commands that exist`, () => {
      const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
      expect(named.filter(name => !(name in scripts))).to.deep.equal([]);
    });

    it(`${page} links to sections that exist`, () => {
      const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
      const isMissing = ([, file, section = '']: string[]) =>
        !sectionsOf(file ? join(dirname(page), file) : page).includes(section);
      expect(links.filter(isMissing).map(([link]) => link)).to.deep.equal([]);
    });

    it(`${page} names files and folders that exist`, () => {
      expect(pathsIn(text).filter(path => !filesNamed(path).length)).to.deep.equal([]);
    });

    it(`${page} names what its files define`, () => {
      const pairs = [...text.matchAll(/`(\w+)` in\s`([\w./]+\.ts)`/g)];
      const isGone = ([, name = '', file = '']: string[]) => !filesNamed(file).some(path => defines(path, name));
      expect(pairs.filter(isGone).map(([pair]) => pair)).to.deep.equal([]);
    });

    // The maps of the code name its constants as well.
    if (/ARCHITECTURE|ADDING|REFERENCE|GLOSSARY|DATA/.test(page)) continue;
    it(`${page} names variables that exist`, () => {
      const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
      const kinds = alertKinds();
      const isKnown = (name: string) =>
        OTHERS.includes(name) || kinds.includes(name) || VARIABLE_NAMES.includes(name.replace(/_FILE$/, ''));
      expect(named.filter(name => !isKnown(name))).to.deep.equal([]);
    });
  }

  it('docs/OPERATIONS.md says what to do about every alert, and lists no other', () => {
    const table = read('docs/OPERATIONS.md').split('## What an alert means')[1]?.split('\n## ')[0] ?? '';
    const cells = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
    const explained = cells.flatMap(cell => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, kind = '']) => kind));
    expect(explained).to.have.members(alertKinds());
  });

  it('docs/REFERENCE.md names where each rule is decided', () => {
    const rows = rowsUnder('docs/REFERENCE.md', '## Where is it decided?');
    expect(rows).to.have.length.above(40);
    expect(rows.filter(row => !isDecidedThere(row)).map(row => row.join(' | '))).to.deep.equal([]);
  });

  it('README.md counts the conversations and contacts of the demo, and the days that things are kept', () => {
    const text = read('README.md').replaceAll('\n', ' ');
    expect(text).to.include(`${sampleWorld(new Date()).dialogs.length} made-up conversations`);
    expect(text).to.include(`${sampleContacts().length} contacts`);
    const rows = rowsUnder('README.md', '## What is kept of your messages');
    const days = rows.map(([, period = '']) => /(\d+) days/.exec(period)?.[1] ?? '');
    const { digests, promises, questions } = KEPT_DAYS;
    expect(days).to.deep.equal([...[digests, promises, questions].map(String), '']);
  });

  it('docs/DATA.md lists every table, with the tables that it refers to', () => {
    const rows = rowsUnder('docs/DATA.md', '## Tables');
    const listed = rows.map(([name = '', , others = '']) => [name.replaceAll('`', ''), others.match(/\w+/g) ?? []]);
    expect(listed).to.have.deep.members(referencesOfTables());
  });

  it('docs/REFERENCE.md says what each production dependency is for, and lists no other', () => {
    const rows = rowsUnder('docs/REFERENCE.md', '## What each dependency is for');
    expect(rows.map(([name = '']) => name.replaceAll('`', ''))).to.deep.equal(Object.keys(dependencies));
    expect(rows.filter(([, use]) => !use)).to.deep.equal([]);
  });
});

/** The links to the sections of a page, as GitHub makes them. */
function sectionsOf(page: string): string[] {
  const titles = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return titles.map(title =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** What is in backticks and looks like a path: it has a folder, or the ending of a file. */
function pathsIn(text: string): string[] {
  const quoted = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)];
  return quoted
    .flatMap(([, words = '']) => words.split(' '))
    .filter(word => /^[\w.…*-]+(\/[\w.…*-]+)*\/?$/.test(word))
    .filter(word => word.includes('/') || /\.(ts|md|eta|js|cjs|jsonl?|ya?ml|toml|bin|txt)$/.test(word))
    .filter(word => !OTHER_PATHS.some(other => word.startsWith(other)));
}

/** The files and folders with a path that ends so. A placeholder, such as ROOM or …, stands for any name. */
function filesNamed(path: string): string[] {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/…|\*|\b[A-Z_]{2,}\b(?!\\.md)|X(?=\\.)/g, '[^/]*');
  const ending = new RegExp(`(^|/)${pattern}$`);
  return PATHS.filter(known => ending.test(known));
}

/** The tables that the migrations create, each with those that it refers to, by name. */
function referencesOfTables(): [name: string, others: string[]][] {
  const files = globSync('migrations/*.ts', { cwd: ROOT }).map(read);
  const tables = files.flatMap(text => [...text.matchAll(/create table (\w+) \(([\s\S]*?)\n {4}\);/g)]);
  return tables.map(([, name = '', columns = '']) => {
    const others = [...columns.matchAll(/ references (\w+)/g)].map(([, other = '']) => other);
    return [name, [...new Set(others)].toSorted()];
  });
}

/** The cells of every row of the tables below a title of a page, without their heads. */
function rowsUnder(page: string, title: string): string[][] {
  const part = read(page).split(`${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = part.replaceAll(/^\|.*\n\| ---.*$/gm, '').match(/^\|.*/gm) ?? [];
  return rows.map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}

/** Whether the file that a row names exists and defines the name: one that imports it decides nothing. */
function isDecidedThere([, file = '', name = '']: string[]): boolean {
  const [path = '', word = ''] = [file, name].map(cell => /^`([\w./]+)`$/.exec(cell)?.[1]);
  return word !== '' && existsSync(join(ROOT, path)) && defines(path, word);
}

function defines(path: string, name: string): boolean {
  return new RegExp(`\\b(const|function|type) ${name}\\b|^ +${name}: `, 'm').test(read(path));
}

/** Every kind that the code has words for, and the failures it reports by their own code. */
function alertKinds(): string[] {
  const words = read('src/features/base/alerts/present.ts').matchAll(/^ {2}([A-Z]+(?:_[A-Z]+)*):/gm);
  const reported = ['SESSION_EXPIRED', 'ACCOUNT_BANNED', 'FLOOD_WAIT', 'AI_UNAVAILABLE', 'AI_BAD_OUTPUT'];
  const ofCrm = ['CRM_REFUSED', 'CRM_RATE_LIMIT', 'CRM_UNAVAILABLE'];
  return [...new Set([...[...words].map(([, kind = '']) => kind), ...reported, ...ofCrm])];
}
