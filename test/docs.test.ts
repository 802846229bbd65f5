import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { VARIABLE_NAMES } from '../src/config.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/ARCHITECTURE.md', 'docs/ADDING.md'],
  'docs/REFERENCE.md',
  ...['docs/SELF-HOSTING.md', 'docs/OPERATIONS.md', 'docs/MODELS.md', 'docs/ASSISTANTS.md', 'docs/hubspot/README.md'],
];
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { scripts, dependencies } = JSON.parse(read('package.json'));

/** Of other programs, and in examples. */
const OTHERS = ['NODE_ENV', 'PGSSLMODE', 'NEW_DATABASE_URL', 'NAME_FILE', 'FORENOON_DATA_DIR', 'OLLAMA_CONTEXT_LENGTH'];

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

    // The maps of the code name its constants as well.
    if (/ARCHITECTURE|ADDING|REFERENCE/.test(page)) continue;
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
    const rows = rowsUnder('## Where is it decided?');
    expect(rows).to.have.length.above(40);
    expect(rows.filter(row => !isDecidedThere(row)).map(row => row.join(' | '))).to.deep.equal([]);
  });

  it('docs/REFERENCE.md says what each production dependency is for, and lists no other', () => {
    const rows = rowsUnder('## What each dependency is for');
    expect(rows.map(([name = '']) => name.replaceAll('`', ''))).to.deep.equal(Object.keys(dependencies));
    expect(rows.filter(([, use]) => !use)).to.deep.equal([]);
  });
});

/** The cells of every row of the tables below a title of docs/REFERENCE.md, without their heads. */
function rowsUnder(title: string): string[][] {
  const part = read('docs/REFERENCE.md').split(`${title}\n`)[1]?.split('\n## ')[0] ?? '';
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
  return (
    word !== '' &&
    existsSync(join(ROOT, path)) &&
    new RegExp(`\\b(const|function|type) ${word}\\b|^ +${word}: `, 'm').test(read(path))
  );
}

/** Every kind that the code has words for, and the failures it reports by their own code. */
function alertKinds(): string[] {
  const words = read('src/features/base/alerts/present.ts').matchAll(/^ {2}([A-Z]+(?:_[A-Z]+)*):/gm);
  const reported = ['SESSION_EXPIRED', 'ACCOUNT_BANNED', 'FLOOD_WAIT', 'AI_UNAVAILABLE', 'AI_BAD_OUTPUT'];
  const ofCrm = ['CRM_REFUSED', 'CRM_RATE_LIMIT', 'CRM_UNAVAILABLE'];
  return [...new Set([...[...words].map(([, kind = '']) => kind), ...reported, ...ofCrm])];
}
