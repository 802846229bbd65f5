import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { ClientError } from '../../src/clients/errors.ts';
import { answerErrors } from '../../src/http/errors.ts';
import { requestLog } from '../../src/http/requestLog.ts';
import { Conflict, NotFound, TooManyRequests } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const REQUEST_ID = /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/;
const PAGES = ['/today?day=2026-11-20', '/settings', '/connect/code', '/conversations?page=2', '/sync'];

describe('An error', () => {
  let service: Service;
  let lena: Agent;
  let nobody: Agent;
  before(async () => {
    service = await startService({ worker: false });
    lena = await signIn(service, 'lena@example.com');
    nobody = request.agent(service.url);
  });
  after(stopServices);

  it('has a reference, the same in body and header, different for each request', async () => {
    const ids = new Set<string>();
    for (const path of ['/api/nothing', '/api/digests', '/api/sync/status']) {
      const { body, headers } = await nobody.get(path);
      expect(body.requestId, path).to.match(REQUEST_ID).and.equal(headers['x-request-id']);
      ids.add(body.requestId);
    }
    expect(ids.size).to.equal(3);
    const { text, headers } = await lena.get('/nothing');
    expect(text).to.include(headers['x-request-id']);
    for (const path of ['/healthz', '/signin', '/api/auth/session', '/assets/none']) {
      expect((await nobody.get(path)).headers['x-request-id'], path).to.match(REQUEST_ID);
    }
  });

  it('for an unknown address is JSON under /api and a page elsewhere', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api?x=1', '/API/nothing', '/api/settings/x', '/api/auth']) {
      const { body, headers } = await lena.get(path).expect(404);
      expect(headers['content-type'], path).to.match(/^application\/json/);
      expect(body).to.deep.equal({ error: 'There is no such page.', code: 'NOT_FOUND', requestId: body.requestId });
    }
    for (const path of ['/nothing', '/apis', '/today/x', '/api.html', '/.env', '/assets/../package.json']) {
      const { text, headers } = await lena.get(path).expect(404);
      expect(headers['content-type'], path).to.match(/^text\/html/);
      expect(text).to.match(/<h1[^>]*>Not found/);
    }
  });

  it('sends a person who is not signed in to sign-in and back', async () => {
    for (const path of PAGES) {
      const { headers } = await nobody.get(path).expect(302);
      expect(headers.location).to.equal(`/signin?callbackUrl=${encodeURIComponent(path)}`);
    }
    for (const path of ['/settings', '/sync', '/connect', '/connect/code', '/settings/theme']) {
      const { headers } = await nobody.post(path).type('form').send({}).expect(302);
      expect(headers.location, path).to.equal('/signin?callbackUrl=%2Ftoday');
    }
  });

  it('lets htmx load the sign-in page, with the page the person is on', async () => {
    const ask = (current?: string) =>
      nobody
        .get('/sync')
        .set('HX-Request', 'true')
        .set(current ? { 'HX-Current-URL': current } : {});
    const target = async (current?: string) => (await ask(current).expect(401)).headers['hx-redirect'];
    expect(await target(`${service.url}/today?view=urgent`)).to.equal('/signin?callbackUrl=%2Ftoday%3Fview%3Durgent');
    expect(await target()).to.equal('/signin?callbackUrl=%2Ftoday');
    expect(await target('https://evil.example/x')).to.equal('/signin?callbackUrl=%2Fx');
    expect(await target('javascript:alert(1)')).to.match(/^\/signin\?callbackUrl=[\w%()]+$/);
    expect((await ask()).text).to.equal('');
  });

  it('is a fragment for the error message area under htmx', async () => {
    const { text, headers } = await lena.get('/nothing').set('HX-Request', 'true').expect(404);
    expect(headers).to.include({ 'hx-retarget': '#problem', 'hx-reswap': 'innerHTML' });
    expect(text)
      .to.include(headers['x-request-id'])
      .and.not.match(/<html|<!doctype/i);
  });

  it('contains neither a stack nor SQL when a table is missing', async () => {
    await service.db.raw('alter table sync_configs rename to sync_configs_away');
    try {
      for (const path of ['/api/settings', '/settings', '/today']) {
        const { text, status, headers } = await lena.get(path);
        expect(status, path).to.equal(500);
        expect(text).to.include(headers['x-request-id']).and.include('Something went wrong on our side');
        expect(text).not.to.match(/sync_configs|select|relation|at \w+ \(|node_modules|\.ts:|postgres/i);
      }
      const { body } = await lena.post('/api/settings').send({ minMessages: 2 }).expect(500);
      expect(body).to.have.all.keys('error', 'code', 'requestId').and.include({ code: 'INTERNAL' });
    } finally {
      await service.db.raw('alter table sync_configs_away rename to sync_configs');
    }
    await lena.get('/settings').expect(200);
  });
});

describe('The table of errors', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test' }, { write: line => void lines.push(line) });
  const answering = (handler: RequestHandler, renderError = async () => expect.fail('hush')) => {
    const app = express().use(requestLog(log)).get('/{*path}', handler).use(answerErrors({ log, renderError }));
    return request(app);
  };
  const failing = (err: unknown) => () => {
    throw err;
  };
  const client = (details: object) =>
    new ClientError({ service: 'messenger', kind: 'temporary', code: 'UNREACHABLE', ...details });
  beforeEach(() => {
    lines.length = 0;
  });

  const CASES: [name: string, err: unknown, status: number, code: string, retryAfter?: string][] = [
    ['unknown', new NotFound('digest'), 404, 'NOT_FOUND'],
    ['in the way', new Conflict('NEVER_READ', 'No.'), 409, 'NEVER_READ'],
    ['too often', new TooManyRequests(1.2), 429, 'TOO_MANY_REQUESTS', '2'],
    ['outside and down', client({}), 502, 'UNREACHABLE'],
    ['outside and slow', client({ code: 'TIMEOUT' }), 504, 'TIMEOUT'],
    ['outside and asking to wait', client({ kind: 'rateLimited', retryAfterSeconds: 30 }), 429, 'UNREACHABLE', '30'],
    ['unforeseen', new Error('hush'), 500, 'INTERNAL'],
    ['no error at all', 'hush', 500, 'INTERNAL'],
    ['a redirect by its status', Object.assign(new Error('hush'), { status: 302 }), 500, 'INTERNAL'],
  ];
  for (const [name, err, status, code, retryAfter] of CASES) {
    it(`answers ${status} ${code} for what is ${name}`, async () => {
      const { body, text, headers } = await answering(failing(err)).get('/api/x').expect(status);
      expect(body)
        .to.include({ code })
        .and.have.property('error')
        .that.matches(/^[A-Z].*\.$/);
      expect(headers['retry-after']).to.equal(retryAfter);
      expect(text).not.to.include('hush');
      expect(lines.join(), 'logged').to.match(
        status >= 500 ? /"level":50.*request failed/ : /^((?!request failed)[\s\S])*$/,
      );
    });
  }

  it('has an answer without a stack when even the error page fails', async () => {
    const broken = () => {
      throw new Error('the view hush is broken');
    };
    const { text, headers } = await answering(failing(new NotFound('page')), broken)
      .get('/x')
      .expect(404);
    expect(text).to.include('There is no such page.').and.include(headers['x-request-id']).and.not.include('hush');
    expect(lines.join()).to.include('error page failed');
  });

  it('breaks an answer off that failed in the middle', async () => {
    const halfway: RequestHandler = (_req, res, next) => {
      res.write('{"half":');
      setTimeout(() => next(new Error('the other half')), 20);
    };
    const answer = await answering(halfway)
      .get('/api/x')
      .then(
        () => 'whole',
        () => 'broken off',
      );
    expect(answer).to.equal('broken off');
    expect(lines.join()).to.include('failed in the middle');
  });
});
