import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Request, type RequestHandler, Router } from 'express';
import { transform } from 'lightningcss';

/** Files the browser may keep for good: a changed file gets a new address. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';
/** Browsers identify an installed page by the address of this file, so it stays the same. */
const MANIFEST = 'manifest.webmanifest';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Types of files that are already compressed. */
const DENSE = new Set([TYPES['.png'], TYPES['.woff2']]);

const FONTS = ['onest', 'literata'].flatMap(family =>
  ['latin', 'cyrillic'].map(script => ({ family, file: `${family}-${script}-wght-normal.woff2` })),
);

const require = createRequire(import.meta.url);

export type AssetUrl = (name: string) => string;

export type Assets = {
  /** The address of `app.css`, `app.js`, `promises.js`, `htmx.js`, a font or a file in `public`. Throws without one. */
  url: AssetUrl;
  routes: Router;
};

/** Every page loads the first; a page names which of the others it loads as well (`_head.eta`). */
const STYLESHEETS = [
  'app.css',
  'operator.css',
  'promises.css',
  'conversation.css',
  'agenda.css',
  'week.css',
  'setup.css',
  'apps.css',
  'ask.css',
  'brief.css',
];

type Asset = { url: string; type: string; body: Buffer; packed: Map<string, Promise<Buffer>> };

/** Compresses as much as possible, which takes a moment: once for each file, when it is first requested. */
const PACKERS: Record<string, (body: Buffer) => Promise<Buffer>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: body => promisify<Buffer, object, Buffer>(gzip)(body, { level: 9 }),
};

/** Reads every file the pages need into memory (about 300 kB) and serves it under a name that holds its hash. */
export function createAssets(options: { publicDir: string }): Assets {
  const byName = new Map<string, Asset>();
  const add = (name: string, body: Buffer) => byName.set(name, { ...hashedAddress(name, body), body, packed: new Map() });
  const url: AssetUrl = name => {
    const asset = byName.get(name);
    if (!asset) throw new Error(`There is no asset ${name}`);
    return asset.url;
  };

  add('htmx.js', readFileSync(require.resolve('htmx.org/dist/htmx.min.js')));
  for (const { family, file } of FONTS)
    add(`fonts/${file}`, readFileSync(require.resolve(`@fontsource-variable/${family}/files/${file}`)));
  for (const file of publicFiles(options.publicDir)) {
    const body = readFileSync(join(options.publicDir, file));
    add(file, file.endsWith('.js') ? Buffer.from(stripComments(body.toString())) : body);
  }
  for (const name of STYLESHEETS) add(name, readStylesheet(join(options.publicDir, 'css', name), url));
  add(MANIFEST, readManifest(join(options.publicDir, MANIFEST), url));
  return { url, routes: assetRoutes([...byName.values()]) };
}

function hashedAddress(name: string, body: Buffer): Pick<Asset, 'url' | 'type'> {
  const extension = extname(name);
  const type = TYPES[extension] ?? 'application/octet-stream';
  if (name === MANIFEST) return { url: `/${name}`, type };
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const stem = name.slice(0, -extension.length).replaceAll('/', '-');
  return { url: `/assets/${stem}-${hash}${extension}`, type };
}

function publicFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter(entry => entry.isFile() && extname(entry.name) in TYPES)
    .map(entry => entry.name);
}

/** A list of imports becomes one file: one request instead of twenty. Fonts are pointed at their hashed addresses. */
function readStylesheet(path: string, url: AssetUrl): Buffer {
  const index = readFileSync(path, 'utf8');
  const whole = index.replace(/@import url\("([\w-]+\.css)"\);/g, (_line, file: string) => {
    return readFileSync(join(dirname(path), file), 'utf8');
  });
  const addressed = whole.replace(/url\((fonts\/[\w.-]+)\)/g, (_match, font: string) => `url(${url(font)})`);
  return Buffer.from(transform({ filename: basename(path), code: Buffer.from(addressed), minify: true }).code);
}

/** Drops comment lines and indentation, a fifth of the script even when compressed. No string in it has two lines. */
function stripComments(script: string): string {
  return script.replace(/^ {0,20}(?:\/\/|\/\*\*).{0,200}\n/gm, '').replace(/^ {1,20}/gm, '');
}

/** Replaces icons by their hashed addresses. */
function readManifest(file: string, url: AssetUrl): Buffer {
  const manifest = readFileSync(file, 'utf8');
  return Buffer.from(manifest.replace(/"src": "([\w.-]+)"/g, (_match, icon) => `"src": "${url(icon)}"`));
}

function assetRoutes(assets: Asset[]): Router {
  const routes = Router();
  const byUrl = new Map(assets.map(asset => [asset.url, asset]));
  const serve = (cacheControl: string): RequestHandler => {
    return async (req, res, next) => {
      const asset = byUrl.get(req.path);
      if (!asset) return next();
      const encoding = encodingFor(req, asset);
      if (encoding) res.set('Content-Encoding', encoding);
      res
        .set('Cache-Control', cacheControl)
        .vary('Accept-Encoding')
        .type(asset.type)
        .send(await compressAsset(asset, encoding));
    };
  };
  routes.get('/assets/:file', serve(FOR_GOOD));
  routes.get(`/${MANIFEST}`, serve(FOR_A_DAY));
  return routes;
}

/** The best encoding the browser accepts, whichever it lists first. */
function encodingFor(req: Request, { type }: Asset): string | undefined {
  if (DENSE.has(type)) return undefined;
  return Object.keys(PACKERS).find(encoding => req.acceptsEncodings(encoding));
}

function compressAsset({ body, packed: byEncoding }: Asset, encoding: string | undefined): Buffer | Promise<Buffer> {
  const pack = encoding && PACKERS[encoding];
  if (!pack) return body;
  const compressed = byEncoding.get(encoding) ?? pack(body);
  byEncoding.set(encoding, compressed);
  return compressed;
}
