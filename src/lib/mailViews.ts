import { MAIL_LOOKS, type MailLook } from './mailLooks.ts';
import { Views } from './views.ts';
import { shorten, writtenIn } from './words.ts';

/** A mail's two bodies. Whoever sends it chooses the subject. */
type MailBody = { subject?: never; html: string; text: string };

export type MailViews = {
  /** Renders `index.eta` and `index.text.eta` of the folder `views/mails/<name>`, each with the same data. */
  render(name: string, data: object): MailBody;
};

type Options = {
  viewsDir: string;
  appName: string;
  /** Origin of the service, for the links. */
  appUrl: string;
  /** Off so that a changed view shows at once. Default on. */
  cache?: boolean;
  /** Whether a value that is missing is an error. Default on. */
  strict?: boolean;
};

/** Views of mails. `<%= %>` escapes in HTML and, as it must, not in plain text. */
export function createMailViews({ viewsDir, appName, appUrl, cache = true, strict = true }: Options): MailViews {
  const everywhere = { appName, appUrl, look, writtenIn };
  const html = new Views({ viewsDir, cache, strict, autoEscape: true, everywhere });
  const text = new Views({ viewsDir, cache, strict, autoEscape: false, everywhere });
  return {
    render: (name, data) => ({
      html: html.render(`/mails/${name}/index.eta`, data).trimStart(),
      text: withoutGaps(text.render(`/mails/${name}/index.text.eta`, data))
        .split('\n')
        .map(wrapped)
        .join('\n'),
    }),
  };
}

/**
 * The attributes of an element that looks like `name`. Most mail programs take the style at the element only; those that
 * know dark mode find the class in the layout.
 */
function look(name: MailLook): string {
  return `class="m-${name}" style="${MAIL_LOOKS[name]}"`;
}

/**
 * Someone else's text in our mail: on one line and at most `longest` characters, so that nothing anybody wrote looks
 * like part of the mail or reverses what follows (UAX 9, 2.2: what an embedding or override opens ends with the line).
 */
export function oneLine(text: string, longest: number): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202a-\u202e]/g, '')
    .trim();
  return shorten(line, longest);
}

/** Removes the gaps that lines with nothing but template tags leave. */
function withoutGaps(text: string): string {
  const lines = text.replace(/(?<![^\S\n])[^\S\n]+$/gm, '');
  return `${lines.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** Leaves a reply room for a quote mark before each line (RFC 3676, 4.2). */
const COLUMNS = 72;

/** Wraps between words only, so that an address stays whole. Further lines align with the words behind list marks. */
function wrapped(line: string): string {
  const [marks = ''] = /^ *(?:[*!↳] |\[ \] )?/.exec(line) ?? [];
  const pieces: string[] = [];
  for (const word of line.slice(marks.length).split(' ')) {
    const longer = `${pieces.at(-1) ?? ''} ${word}`;
    if (pieces.length > 0 && longer.length <= COLUMNS - marks.length) pieces[pieces.length - 1] = longer;
    else pieces.push(word);
  }
  return marks + pieces.join(`\n${' '.repeat(marks.length)}`);
}
