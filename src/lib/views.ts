import { Eta } from 'eta';

type Options<Names> = {
  viewsDir: string;
  /** Off so that a changed view shows at once. */
  cache: boolean;
  /** Whether `<%= %>` escapes: yes for HTML, no for plain text. */
  autoEscape: boolean;
  /** Whether a value that is missing is an error; otherwise nothing is printed for it. Never the word "undefined". */
  strict: boolean;
  /** Names that every view can use directly. */
  everywhere: Names;
};

const PART = 'const part = (view, data) => this.render(view, data, options);';

/**
 * Values in views are written by `<%= %>`; `<%~ %>` is for other views and for other markup of ours only.
 * `include` passes a view what the page knows and more, `part` nothing but what it is given: for views that are used
 * many times on a page, since the library copies all of it each time.
 */
export class Views<Names extends Record<string, unknown>> extends Eta {
  readonly everywhere: Names;

  constructor({ viewsDir, cache, autoEscape, strict, everywhere }: Options<Names>) {
    const names = `const { ${Object.keys(everywhere).join(', ')} } = this.everywhere;`;
    const options = { autoFilter: true, filterFunction: strict ? refuseMissing : leaveOutMissing };
    // Indentation is for the reader of a view. In plain text it is the text's own.
    const whitespace = { autoTrim: false, rmWhitespace: autoEscape } as const;
    super({ views: viewsDir, cache, autoEscape, ...options, ...whitespace, functionHeader: names + PART });
    this.everywhere = everywhere;
    if (cache) this.resolvePath = cachePaths(this.resolvePath);
  }
}

function refuseMissing(value: unknown): string {
  if (value === undefined || value === null) throw new TypeError('A view prints a value that is missing.');
  return value as string;
}

const leaveOutMissing = (value: unknown): string => (value ?? '') as string;

type ResolvePath = Eta['resolvePath'];

/** Caches the path of a view by who includes it: the library writes both as JSON for each lookup. */
function cachePaths(find: ResolvePath): ResolvePath {
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
