import { Eta } from 'eta';

type Options<Names> = {
  viewsDir: string;
  /** Off where a changed view should show at once. */
  cache: boolean;
  /** Whether `<%= %>` escapes: yes for HTML, no for plain text. */
  autoEscape: boolean;
  /** What every view knows, as plain names. */
  everywhere: Names;
};

const PART = 'const part = (view, data) => this.render(view, data, options);';

/**
 * Values in views are written by `<%= %>`; `<%~ %>` is for other views and for other markup of ours only.
 * `include` hands a view what the page knows and more, `part` nothing but what it is given: for what stands there many
 * times, since the library copies all of it each time.
 */
export class Views<Names extends Record<string, unknown>> extends Eta {
  readonly everywhere: Names;

  constructor({ viewsDir, cache, autoEscape, everywhere }: Options<Names>) {
    const names = `const { ${Object.keys(everywhere).join(', ')} } = this.everywhere;`;
    super({ views: viewsDir, cache, autoEscape, autoTrim: false, functionHeader: names + PART });
    this.everywhere = everywhere;
    if (cache) this.resolvePath = remembered(this.resolvePath);
  }
}

type ResolvePath = Eta['resolvePath'];

/** Where a view stands, by who includes it: the library writes both as JSON each time to look it up. */
function remembered(find: ResolvePath): ResolvePath {
  const known = new Map<string, Map<string, string>>();
  return function resolvePath(name, options) {
    const from = options?.filepath ?? '';
    const found = known.get(from)?.get(name);
    if (found) return found;
    const path = find.call(this, name, options);
    known.set(from, (known.get(from) ?? new Map()).set(name, path));
    return path;
  };
}
