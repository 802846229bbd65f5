import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { DEFAULT_JSON } from '../../../src/features/base/settings/schema.ts';
import { describeApi } from '../../../src/openapi.ts';
import { type Answer, createContract } from '../../support/apiContract.ts';
import { throwOnMismatch } from '../../support/apiMismatches.ts';
import { checkAnswers } from '../../support/checkedAnswers.ts';

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-api-version': '1',
  'x-request-id': '7F3K2-9QTRM',
};
const SETTINGS = { ...DEFAULT_JSON, syncTime: '07:30' };
const ERROR = { error: 'Sign in to do this.', code: 'NOT_SIGNED_IN', requestId: '7F3K2-9QTRM' };

describe('The checker of answers', () => {
  const contract = createContract(JSON.stringify(describeApi({ appName: 'Forenoon' })));

  function wrongWith(own: Partial<Omit<Answer, 'body'>> & { body?: unknown }) {
    const { body = { config: SETTINGS }, ...answer } = own;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return contract({ method: 'GET', path: '/api/settings', status: 200, headers: HEADERS, ...answer, body: text });
  }

  it('accepts an answer as described', () => {
    expect(wrongWith({})).to.equal(undefined);
    expect(wrongWith({ path: '/API/Settings/' })).to.equal(undefined);
    expect(wrongWith({ method: 'HEAD', body: '' })).to.equal(undefined);
    expect(wrongWith({ status: 401, body: ERROR })).to.equal(undefined);
    expect(wrongWith({ path: '/api/nothing', status: 404, body: ERROR })).to.equal(undefined);
    const { 'content-type': _type, ...headers } = HEADERS;
    const redirect = { path: '/api/crm/connect', status: 302, headers: { ...headers, location: '/signin' } };
    expect(wrongWith({ ...redirect, body: 'Found. Redirecting to /signin' })).to.equal(undefined);
  });

  it('tells of a field too many, one too few and one of another kind, without its value', () => {
    const more = { config: { ...SETTINGS, secret: 'hush' } };
    expect(wrongWith({ body: more })).to.match(
      /^GET \/api\/settings answered 200: .*additional properties \(secret\)$/,
    );
    const { syncTime: _left, ...fewer } = SETTINGS;
    expect(wrongWith({ body: { config: fewer } })).to.include("must have required property 'syncTime'");
    const other = wrongWith({ body: { config: { ...SETTINGS, minMessages: 'hush' } } });
    expect(other).to.include('/config/minMessages must be integer').and.not.to.include('hush');
    expect(wrongWith({ body: { config: { ...SETTINGS, summaryStyle: 'hush' } } })).to.include('summaryStyle');
    expect(wrongWith({ status: 401, body: { ...ERROR, stack: 'hush' } })).to.include('(stack)');
  });

  it('tells of a status, an endpoint and a method that are not described', () => {
    expect(wrongWith({ status: 202 })).to.include('this status is not described');
    expect(wrongWith({ status: 418, body: ERROR })).to.include('this status is not described');
    expect(wrongWith({ path: '/api/secrets' })).to.include('there is no such endpoint');
    expect(wrongWith({ path: '/api/secrets', status: 500, body: ERROR })).to.include('there is no such endpoint');
    expect(wrongWith({ method: 'DELETE' })).to.include('there is no such endpoint');
    expect(wrongWith({ path: '/api/nothing', status: 404, body: {} })).to.include("required property 'error'");
  });

  it('tells of a type, a header and a body that are not described', () => {
    expect(wrongWith({ headers: { ...HEADERS, 'content-type': 'text/html' } })).to.include('its type text/html');
    expect(wrongWith({ headers: { ...HEADERS, 'x-api-version': '2' } })).to.include('X-API-Version');
    const { 'x-api-version': _version, ...without } = HEADERS;
    expect(wrongWith({ headers: without })).to.include('X-API-Version');
    expect(wrongWith({ status: 429, body: ERROR })).to.include('Retry-After');
    expect(wrongWith({ status: 429, body: ERROR, headers: { ...HEADERS, 'retry-after': '30' } })).to.equal(undefined);
    expect(wrongWith({ body: '{' })).to.include('its body is no JSON');
    expect(wrongWith({ body: '' })).to.include('its body is no JSON');
  });

  describe('in front of an app', () => {
    const wrongJson = JSON.stringify({ config: { ...SETTINGS, secret: 'hush'.repeat(1000) } });

    const withHeaders = (res: ServerResponse) => res.setHeaders(new Map(Object.entries(HEADERS)));

    async function ask(app: RequestListener, path = '/api/settings?name=hush'): Promise<string> {
      const server = createServer(checkAnswers(app));
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      const text = await answer.text();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      return text;
    }

    it('fails the test that caused an answer against the description, and no other', async () => {
      await ask((_req, res) => withHeaders(res).end(wrongJson));
      expect(throwOnMismatch).to.throw(/GET \/api\/settings answered 200: .*\(secret\)$/);
      expect(throwOnMismatch).not.to.throw();
    });

    it('does not look at pages', async () => {
      await ask((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), '/today');
      await ask((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), '/apiary');
      expect(throwOnMismatch).not.to.throw();
    });
  });
});
