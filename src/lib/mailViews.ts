import { Views } from './views.ts';
import { shorten, writtenIn } from './words.ts';

const SANS = "Onest,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
const SERIF = "Literata,'Iowan Old Style',Charter,Georgia,'Noto Serif',serif";

/** The tokens of the pages in light, as plain colours: mail programs know neither variables nor oklch. */
const INK = '#121f2e';
const INK_2 = '#3d4a59';
const INK_3 = '#5a6673';
const LINE = '#d7dde1';
const LINK = '#1d4cab';
const ALERT = '#c1291f';
const WARN = '#8c5007';

/** How the parts of a mail look. Their dark colors are in `views/layouts/mail.eta`, by the same names. */
export const MAIL_LOOKS = {
  page: 'margin:0;padding:0;background-color:#f3f6f6',
  wordmark: `font:600 20px/1.3 ${SERIF};letter-spacing:-0.02em;color:${INK};text-decoration:none`,
  sun: `display:inline-block;width:12px;height:6px;margin-right:8px;border:2px solid ${INK};border-radius:8px 8px 0 0;background-color:#f2df3a`,
  sheet: `background-color:#ffffff;border:1px solid ${LINE};border-radius:12px`,
  lede: `margin:4px 0 0;font:500 28px/1.18 ${SERIF};letter-spacing:-0.02em;color:${INK}`,
  title: `margin:32px 0 12px;font:600 18px/1.35 ${SANS};color:${INK}`,
  count: `font-weight:400;color:${INK_3}`,
  name: `font:600 16px/1.4 ${SANS};color:${INK};text-decoration:none`,
  text: `margin:0;font:400 15px/1.5 ${SANS};color:${INK}`,
  // Words that someone wrote: what a promise answers, and the words that bind.
  asked: `margin:0;font:400 15px/1.5 ${SERIF};color:${INK_2}`,
  quote: `margin:0;font:500 15px/1.5 ${SERIF};color:${INK}`,
  by: `font:400 13px/1.5 ${SANS};color:${INK_3}`,
  second: `margin:8px 0 0;font:400 15px/1.5 ${SANS};color:${INK_2}`,
  line: `margin:24px 0 0;font:400 15px/1.5 ${SANS};color:${INK}`,
  quiet: `margin:4px 0 0;font:400 13px/1.5 ${SANS};color:${INK_3}`,
  link: `color:${LINK};text-decoration:underline`,
  button: `display:inline-block;padding:12px 20px;border:1px solid ${INK};border-radius:8px;background-color:${INK};font:600 15px/1.3 ${SANS};color:#ffffff;text-decoration:none`,
  notice: 'padding:14px 18px;background-color:#ffeeeb;border-radius:12px',
  caution: 'padding:14px 18px;background-color:#fdf3d9;border-radius:12px',
  alert: `margin:0;font:600 14px/1.5 ${SANS};color:${ALERT}`,
  warn: `margin:0;font:600 14px/1.5 ${SANS};color:${WARN}`,
  late: `font-weight:600;font-size:13px;color:${ALERT}`,
  marker: `padding:1px 5px;border-radius:3px;background-color:#f7e954;font:400 13px/1.5 ${SANS};color:${INK}`,
  // Rows of a sheet, and rows on the bare page.
  first: `padding:14px 18px;font:400 15px/1.5 ${SANS}`,
  row: `padding:14px 18px;border-top:1px solid ${LINE};font:400 15px/1.5 ${SANS}`,
  brief: `padding:12px 0;border-top:1px solid ${LINE};font:400 15px/1.5 ${SANS}`,
  brieftext: `margin:2px 0 0;font:400 15px/1.5 ${SERIF};color:${INK_2}`,
  answer: `margin:0;padding-inline-start:18px;font:400 15px/1.5 ${SERIF};color:${INK_2}`,
  due: `font-size:13px;color:${INK_3}`,
} as const;

export type MailLook = keyof typeof MAIL_LOOKS;

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
        .map(wrapLine)
        .join('\n'),
    }),
  };
}

/**
 * The attributes of an element that looks like `name`. Most mail programs take the style at the element only; those that
 * know dark mode find the class in the layout.
 */
const look = (name: MailLook): string => `class="m-${name}" style="${MAIL_LOOKS[name]}"`;

/**
 * Someone else's text in our mail: on one line and at most `longest` characters, so that nothing anybody wrote looks
 * like part of the mail or reverses what follows (UAX 9, 2.2: what an embedding or override opens ends with the line).
 */
export function toOneLine(text: string, longest: number): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202a-\u202e]/g, '')
    .trim();
  return shorten(line, longest);
}

/** Removes blank lines left by lines of template tags. */
function withoutGaps(text: string): string {
  const lines = text.replace(/(?<![^\S\n])[^\S\n]+$/gm, '');
  return `${lines.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** Leaves a reply room for a quote mark before each line (RFC 3676, 4.2). */
const COLUMNS = 72;

/** Wraps between words only, so that an address stays whole. Further lines align with the words behind list marks. */
function wrapLine(line: string): string {
  const [marks = ''] = /^ *(?:[*!↳] |\[ \] )?/.exec(line) ?? [];
  const pieces: string[] = [];
  for (const word of line.slice(marks.length).split(' ')) {
    const longer = `${pieces.at(-1) ?? ''} ${word}`;
    if (pieces.length > 0 && longer.length <= COLUMNS - marks.length) pieces[pieces.length - 1] = longer;
    else pieces.push(word);
  }
  return marks + pieces.join(`\n${' '.repeat(marks.length)}`);
}
