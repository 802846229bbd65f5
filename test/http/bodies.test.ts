import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const DEFAULTS = { syncTime: '18:00', timezone: 'UTC', includeGroups: false, minMessages: 1 };
const JSON_TYPE = 'application/json';

describe('A request body', () => {
  let service: Service;
  let lena: Agent;
  before(async () => {
    service = await startService({ worker: false });
    lena = await signIn(service, 'lena@example.com');
  });
  after(stopServices);
  afterEach(async () => {
    expect((await lena.get('/api/settings')).body.config).to.deep.include(DEFAULTS);
  });

  const save = (body: string, type = JSON_TYPE) => lena.post('/api/settings').set('Content-Type', type).send(body);

  it('that is not JSON is a 400 that does not repeat it', async () => {
    for (const body of [
      '{',
      '{"a":}',
      "{'a':1}",
      'hush',
      '"hush"',
      '12',
      'null',
      'true',
      '{"a":1}x',
      '\u0000',
      '{"a":"\t"}',
    ]) {
      const answer = await save(body);
      expect(answer.status, body).to.equal(400);
      expect(answer.body.code, body).to.equal('MALFORMED_JSON');
      expect(answer.text).not.to.include('hush');
    }
  });

  it('that is a list instead of an object is a 400', async () => {
    for (const body of ['[]', '[{"syncTime":"07:00"}]', '[[[]]]']) {
      const answer = await save(body).expect(400);
      expect(answer.body.fields, body).to.deep.equal({ body: 'Send a JSON object.' });
    }
  });

  it('in another format is a 400', async () => {
    const settings = '{"syncTime":"07:00"}';
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      '*/*',
    ]) {
      const { body } = await save(settings, type).expect(400);
      expect(body, type).to.deep.include({
        code: 'NOT_JSON',
        error: 'Send JSON, with Content-Type: application/json.',
      });
    }
    await save(settings, 'text/plain').set('Transfer-Encoding', 'chunked').expect(400);
  });

  it('in an unknown encoding or character set is a 4xx', async () => {
    const answers = [
      await save('{}', 'application/json; charset=klingon'),
      await lena.post('/api/settings').set('Content-Type', JSON_TYPE).set('Content-Encoding', 'klingon').send('{}'),
      await lena.post('/api/settings').set('Content-Type', JSON_TYPE).set('Content-Encoding', 'gzip').send('{}'),
    ];
    for (const { status, body } of answers) {
      expect(status).to.be.within(400, 415);
      expect(body).to.include.keys('error', 'code', 'requestId');
    }
  });

  it('may be empty', async () => {
    await save('').expect(200);
    await save('', 'text/plain').expect(200);
    await lena.post('/api/settings').expect(200);
  });

  it('is refused with 413 above 100 kB of JSON and 10 kB of form', async () => {
    const kilobytes = (count: number) => 'x'.repeat(count * 1024);
    const json = (count: number) => JSON.stringify({ extra: kilobytes(count) });
    await save(json(99)).expect(200);
    expect((await save(json(100)).expect(413)).body.code).to.equal('TOO_LARGE');
    await lena
      .post('/api/messenger/connect')
      .send({ phone: kilobytes(200) })
      .expect(413);
    const signInWith = (count: number) =>
      lena
        .post('/api/auth/callback/dev-credentials')
        .type('form')
        .send({ email: kilobytes(count) });
    await signInWith(9).expect(400);
    expect((await signInWith(10).expect(413)).body.code).to.equal('TOO_LARGE');
    const page = await lena
      .post('/settings')
      .type('form')
      .send({ timezone: kilobytes(11) })
      .expect(413);
    expect(page.text).to.include('Too large').and.include('This is too large to be accepted.');
  });

  it('is measured after unpacking', async () => {
    const bomb = gzipSync(JSON.stringify({ extra: 'x'.repeat(5_000_000) }));
    expect(bomb.length).to.be.below(10_000);
    const answer = lena.post('/api/settings').set('Content-Type', JSON_TYPE).set('Content-Encoding', 'gzip');
    await answer
      .serialize(packed => packed)
      .send(bomb)
      .expect(413);
  });

  it('with a thousand form fields too many is a 413', async () => {
    const form = Array.from({ length: 1500 }, (_, i) => `f${i}`).join('&');
    await lena.post('/settings').type('form').send(form).expect(413);
  });

  it('with deep nesting is handled', async () => {
    const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
    const lists = deep('[', ']', 50_000);
    await save(lists).expect(400);
    await save(`{"syncTime":${lists}}`).expect(400);
    await save(`{"other":${lists}}`).expect(200);
    await save(`{"other":${deep('{"a":', '}', 15_000).replace('}', '1}')}}`).expect(200);
    await lena.post('/api/messenger/connect').set('Content-Type', JSON_TYPE).send(`{"phone":${lists}}`).expect(400);
  });

  it('can’t pollute prototypes', async () => {
    await save('{"__proto__":{"minMessages":9},"constructor":{"prototype":{"minMessages":9}}}').expect(200);
    expect(Reflect.get({}, 'minMessages')).to.equal(undefined);
  });

  it('may hold no NUL characters where they would be stored, and a typed \\u0000 is text', async () => {
    const connect = (phone: string) => lena.post('/api/messenger/connect').send({ phone });
    const verify = (authToken: string) => lena.post('/api/messenger/verify').send({ authToken, code: '12345' });
    await connect('+4917100000\u0000').expect(400);
    const { body } = await verify('a\u0000b').expect(400);
    expect(body.fields).to.deep.equal({ authToken: 'This contains an invalid character.' });
    expect((await verify('a\\u0000b').expect(400)).body.code).to.equal('AUTH_TOKEN_INVALID');
    expect((await lena.get('/api/sync/status?jobId=%00').expect(400)).body.code).to.equal('INVALID_INPUT');
  });

  it('may hold half a character', async () => {
    await save('{"syncTime":"\\ud83d"}').expect(400);
    expect((await lena.get('/api/sync/status').query('jobId=%ED%A0%BD').expect(200)).body.state).to.equal('not_found');
    await lena.post('/api/messenger/verify').send('{"authToken":"\\ud83d","code":"12345"}').type('json').expect(400);
  });

  it('twice in a query is a 400', async () => {
    const { body } = await lena.get('/api/sync/status?jobId=a&jobId=b').expect(400);
    expect(body.fields).to.deep.equal({ jobId: 'This must be a text.' });
    await lena.get('/api/sync/status?jobId[]=a').expect(400);
    await lena.get('/today?view=urgent&view=failed&page=1&page=2&day=x&day=y').expect(200);
    await lena.get('/signin?callbackUrl=/a&callbackUrl=//evil.example').expect(302).expect('Location', '/');
  });

  it('in an address that can’t be decoded is a 4xx', async () => {
    for (const path of ['/api/%E0%A4%A', '/assets/%E0%A4%A', '/settings/connections/%E0%A4%A/disconnect', '/%']) {
      expect((await lena.get(path)).status, path).to.be.oneOf([400, 404]);
    }
    expect((await lena.get('/api/sync/status?jobId=%E0%A4%A')).status).to.be.oneOf([200, 400]);
  });
});
