import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { createAssets } from '../../src/http/assets.ts';
import { createRenderer, type Renderer } from '../../src/http/render.ts';

const FOLDER = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const assets = createAssets({ publicDir: FOLDER('public') });
const common = { cache: true, strict: true, assetUrl: assets.url, appName: 'Forenoon' };
const HOSTILE = '<script>alert(1)</script>"\'&';

const site = (handler: RequestHandler) => express().use(assets.routes).get('/', handler);

describe('Files for the browser', () => {
  const app = express().use(assets.routes);
  const NAMES = ['app.css', 'app.js', 'htmx.js', 'icons.svg', 'favicon.svg', 'fonts/onest-cyrillic-wght-normal.woff2'];

  it('stand under an address that holds their hash and may be kept for good', async () => {
    for (const name of NAMES) {
      expect(assets.url(name)).to.match(/^\/assets\/[\w-]+-[0-9a-f]{12}\.\w+$/);
      const { headers } = await request(app).get(assets.url(name)).expect(200);
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    }
  });

  it('come packed as the browser can take them, and as they are where it can take nothing', async () => {
    const plain = await request(app).get(assets.url('app.css')).set('Accept-Encoding', 'identity').expect(200);
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers, text } = await request(app).get(assets.url('app.css')).set('Accept-Encoding', accepted);
      expect(headers).to.include({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(Number(headers['content-length'])).to.be.below(Number(plain.headers['content-length']) / 4);
      expect(text).to.equal(plain.text);
    }
    const font = assets.url('fonts/onest-latin-wght-normal.woff2');
    expect((await request(app).get(font)).headers).not.to.have.property('content-encoding');
  });

  it('are within what a page may weigh', async () => {
    const weigh = async (name: string) => {
      const { headers } = await request(app).get(assets.url(name)).set('Accept-Encoding', 'gzip').expect(200);
      return Number(headers['content-length']) / 1024;
    };
    const sheets = await weigh('app.css');
    expect(sheets).to.be.below(12);
    expect(sheets + (await weigh('promises.css'))).to.be.below(14);
    expect(await weigh('app.js')).to.be.below(3);
    expect((await weigh('htmx.js')) + (await weigh('app.js'))).to.be.below(17);
  });
});

describe('Drawing pages', () => {
  let viewsDir: string;
  let render: Renderer;

  before(() => {
    viewsDir = mkdtempSync(join(tmpdir(), 'forenoon-views-'));
    mkdirSync(join(viewsDir, 'cats'));
    writeFileSync(join(viewsDir, 'layout.eta'), '<title><%= it.title %></title><%= it.theme ?? "" %>|<%~ it.body %>');
    writeFileSync(join(viewsDir, 'cats/index.eta'), `<% layout('/layout', it.layout) %><%~ include('./_cat', it) %>`);
    writeFileSync(join(viewsDir, 'cats/_cat.eta'), '<p title="<%= it.name %>"><%= it.name %></p><%~ icon("check") %>');
    render = createRenderer({ viewsDir, ...common });
  });
  after(() => rmSync(viewsDir, { recursive: true }));

  it('escapes whatever it is given', async () => {
    const app = site((_req, res) => render.page(res, 'cats/index', { name: HOSTILE }, { title: HOSTILE }));
    const { text } = await request(app).get('/').expect(200);
    expect(text).not.to.include('<script>');
    expect(text).to.include('title="&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"');
  });

  it('takes the theme from its cookie, when it is one', async () => {
    const app = site((_req, res) => render.page(res, 'cats/index', { name: 'Mia' }, { title: 'Cats' }));
    expect((await request(app).get('/').set('Cookie', 'theme=dark')).text).to.include('</title>dark|');
    expect((await request(app).get('/').set('Cookie', 'theme=%22onload')).text).not.to.include('onload');
  });

  it('never prints that a value is missing: an error, and in production nothing', async () => {
    const lax = createRenderer({ viewsDir, ...common, strict: false });
    for (const missing of [{}, { name: null }]) {
      const tell = (by: Renderer) => request(site((_req, res) => by.fragment(res, 'cats/_cat', missing))).get('/');
      expect((await tell(lax)).text).to.match(/^<p title=""><\/p>/);
      expect((await tell(render)).status).to.equal(500);
    }
  });
});

describe('The error page', () => {
  it('escapes what happened', async () => {
    const render = createRenderer({ viewsDir: FOLDER('views'), ...common });
    const answer = { status: 404, error: `There is no ${HOSTILE}.`, code: 'NOT_FOUND', requestId: '7F3K2-9QTRM' };
    const { text } = await request(site((req, res) => render.error(req, res, answer)))
      .get('/')
      .expect(404);
    expect(text).to.include('Not found').and.not.include('<script>alert');
  });
});
