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

/** Values in views are written by `<%= %>`; `<%~ %>` is for other views and for other markup of ours only. */
export class Views<Names extends Record<string, unknown>> extends Eta {
  readonly everywhere: Names;

  constructor({ viewsDir, cache, autoEscape, everywhere }: Options<Names>) {
    const names = `const { ${Object.keys(everywhere).join(', ')} } = this.everywhere;`;
    super({ views: viewsDir, cache, autoEscape, autoTrim: false, functionHeader: names });
    this.everywhere = everywhere;
  }
}
