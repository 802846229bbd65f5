import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Under `views`, without the ending: `today/index`. */
const views = filesUnder('views', '.eta');
const texts = new Map(views.map(view => [view, readFileSync(join(ROOT, 'views', `${view}.eta`), 'utf8')]));

describe('The views', () => {
  it('are each rendered by a page or included by another view', () => {
    const used = [...texts].flatMap(([view, text]) => includesOf(view, text));
    for (const file of filesUnder('src', '.ts'))
      used.push(...rendersOf(readFileSync(join(ROOT, 'src', `${file}.ts`), 'utf8')));
    expect(views.filter(view => !used.some(name => name.test(view)))).to.deep.equal([]);
  });

  it('have curly apostrophes in their sentences, as do the files that choose their words', () => {
    const inViews = [...texts].flatMap(([view, text]) => (/[a-z]'[a-z]/i.test(withoutCode(text)) ? [view] : []));
    expect(inViews).to.deep.equal([]);
    const inFiles = ['features', 'http', 'lib'].flatMap(folder =>
      filesUnder(`src/${folder}`, '.ts').flatMap(file => {
        const lines = readFileSync(join(ROOT, 'src', folder, `${file}.ts`), 'utf8').split('\n');
        const isSaid = (line: string) => !/^\s*(\*|\/[/*])/.test(line) && /(["`])[^"`]*[a-z]'[a-z][^"`]*\1/i.test(line);
        return lines.filter(isSaid).map(line => `${folder}/${file}: ${line.trim()}`);
      }),
    );
    expect(inFiles).to.deep.equal([]);
  });
});

/** What a view prints as it stands: nothing between `<%` and `%>`, and no tags. */
function withoutCode(text: string): string {
  return text.replace(/<%[\s\S]*?%>/g, '').replace(/<[^>]*>/g, '');
}

/** What a view includes or is laid out by. */
function includesOf(view: string, text: string): RegExp[] {
  const found = text.matchAll(/\b(?:include|part|layout)\(\s*(['`])(.+?)\1/g);
  return [...found].map(([, , name = '']) => named(name.startsWith('/') ? name.slice(1) : join(dirname(view), name)));
}

/** What a file of the product renders: pages and fragments by the path of the view, mails by their folder. */
function rendersOf(text: string): RegExp[] {
  const pages = text.matchAll(/(['`])([\w${}]+(?:\/[\w${}]+)+)\1/g);
  const mails = text.matchAll(/\bmailViews\.render\('(\w+)'/g);
  return [
    ...[...pages].map(([, , name = '']) => named(name)),
    ...[...mails].map(([, name]) => new RegExp(`^mails/${name}/index(\\.text)?$`)),
  ];
}

/** A name whose last part is chosen while the page is written stands for all it may become. */
function named(name: string): RegExp {
  return new RegExp(`^${name.replace(/\$\{.+?\}/g, '\\w+')}$`);
}

function filesUnder(folder: string, ending: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter(file => file.endsWith(ending)).map(file => file.slice(0, -ending.length));
}
