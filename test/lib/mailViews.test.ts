import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createMailViews, MAIL_LOOKS, toOneLine } from '../../src/lib/mailViews.ts';

const VIEWS = fileURLToPath(new URL('../../views', import.meta.url));
const HOSTILE = `<img src=x onerror="alert(1)">'&`;

const PAGE = `<% layout('/layouts/mail', { title: it.who, preheader: it.who, footer: '<p>End</p>' }) %>
<h1 <%~ look('lede') %>><%= it.who %></h1>`;
const TEXT = `Hello <%= it.who %>,
<% if (false) { %>
nothing
<% } %>


see <%= appUrl %>   

`;

describe('A mail', () => {
  let viewsDir: string;
  before(() => {
    viewsDir = mkdtempSync(join(tmpdir(), 'forenoon-views-'));
    cpSync(VIEWS, viewsDir, { recursive: true });
    addMail('sample', TEXT);
  });
  after(() => rmSync(viewsDir, { recursive: true, force: true }));

  const addMail = (name: string, text: string) => {
    const folder = join(viewsDir, 'mails', name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.eta'), PAGE);
    writeFileSync(join(folder, 'index.text.eta'), text);
  };

  const render = () =>
    createMailViews({ viewsDir, appName: 'Forenoon', appUrl: 'https://a.example' }).render('sample', { who: HOSTILE });

  it('keeps the words as they are in plain text, without the gaps of its template', () => {
    expect(render().text).to.equal(`Hello ${HOSTILE},\n\nsee https://a.example\n`);
  });

  it('has lines of 72 columns in plain text, whole addresses, and goes on under the words of a list', () => {
    const long = `https://a.example/${'x'.repeat(90)}`;
    addMail('long', `* ${'word '.repeat(20)}${long}\n  [ ] ${'task '.repeat(15)}\n`);
    const views = createMailViews({ viewsDir, appName: 'Forenoon', appUrl: 'https://a.example' });
    expect(views.render('long', { who: 'x' }).text.split('\n')).to.deep.equal([
      `* ${'word '.repeat(14).trim()}`,
      `  ${'word '.repeat(6).trim()}`,
      `  ${long}`,
      `  [ ] ${'task '.repeat(13).trim()}`,
      '      task task',
      '',
    ]);
  });

  it('has texts of others on one line, no longer than that, without marks that turn others around', () => {
    expect(toOneLine(' a\n\tb\u0000c\u2028d ', 20)).to.equal('a b c d');
    expect(toOneLine('x'.repeat(5000), 20)).to.equal(`${'x'.repeat(19)}…`);
    expect(toOneLine('one two three', 9)).to.equal('one two…');
    expect(toOneLine('Otherwise we pull out of it', 14)).to.equal('Otherwise we…');
    expect(toOneLine('one two three', 12)).to.equal('one two…');
    expect(toOneLine('one, two three', 8)).to.equal('one…');
    expect(toOneLine('see https://example.com/a/very/long/address', 20)).to.equal('see https://example…');
    expect(toOneLine('明日の午後までに見積もりを送ってください', 10)).to.equal('明日の午後までに見…');
    expect(toOneLine('OK 明日の午後までに見積もりを送ってください', 10)).to.equal('OK 明日の午後ま…');
    expect(toOneLine('ส่งใบเสนอราคาให้ภายในวันพรุ่งนี้', 10)).to.match(/^ส่งใบ.+…$/);
    expect(toOneLine('\u202eevil\u202c', 20)).to.equal('evil');
    expect(toOneLine('👍'.repeat(20), 20).isWellFormed()).to.equal(true);
  });

  it('has a dark colour for everything that has a light one', () => {
    const dark = render().html.split('prefers-color-scheme: dark')[1] ?? '';
    const coloured = Object.entries(MAIL_LOOKS).filter(([, style]) => style.includes('#'));
    expect(coloured.filter(([name]) => !dark.includes(`.m-${name}`))).to.deep.equal([]);
  });
});
