import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from './server.ts';

describe('The AI sandbox', () => {
  let ai: AiSandbox;

  beforeEach(async () => {
    ai = await startAiSandbox({ apiKey: 'right' });
  });
  afterEach(() => ai.stop());

  async function ask(more: object = {}, key = 'right'): Promise<{ status: number; body: Record<string, unknown> }> {
    const messages = [
      { role: 'system', content: 'Answer in JSON.' },
      { role: 'user', content: '{"n":1,"from":"contact: Eve","text":"Please call me."}' },
    ];
    const res = await fetch(`${ai.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages, ...more }),
    });
    return { status: res.status, body: (await res.json()) as Record<string, unknown> };
  }

  const schema = (properties: object, more: object = {}) => ({
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'x', strict: true, schema: { type: 'object', properties, ...more } },
    },
  });
  const closed = { required: ['a'], additionalProperties: false };

  it('answers with a digest of what it read, and counts the tokens', async () => {
    const { status, body } = await ask();
    expect(status).to.equal(200);
    const [choice] = body.choices as { message: { content: string }; finish_reason: string }[];
    expect(choice?.finish_reason).to.equal('stop');
    expect(JSON.parse(choice?.message.content ?? '')).to.deep.include({
      summary: 'Eve: Please call me.',
      urgency: 'low',
    });
    expect(body.usage).to.include({ prompt_tokens: 18 });
  });

  it('rejects a wrong key', async () => {
    const { status, body } = await ask({}, 'wrong');
    expect(status).to.equal(401);
    expect(body.error).to.include({ code: 'invalid_api_key' });
    expect(ai.requests()).to.have.length(0);
  });

  it('takes only strict schemas that are closed and without limits of length', async () => {
    expect((await ask(schema({ a: { type: 'string' } }, closed))).status).to.equal(200);
    for (const open of [
      schema({ a: { type: 'string' } }),
      schema({ a: { type: 'string' }, b: { type: 'string' } }, closed),
      schema({ a: { type: 'string', maxLength: 5 } }, closed),
      schema({ a: { type: 'array', items: { type: 'object', properties: { c: {} } } } }, closed),
    ]) {
      expect((await ask(open)).status).to.equal(400);
    }
  });

  it('takes only the ways to request JSON that the server it imitates takes', async () => {
    ai.behave({ takes: ['json_object', 'text'] });
    expect((await ask(schema({ a: { type: 'string' } }, closed))).status).to.equal(400);
    expect((await ask({ response_format: { type: 'json_object' } })).status).to.equal(200);
    ai.behave({ takes: ['text'] });
    const refused = await ask({ response_format: { type: 'json_object' } });
    expect(refused.status).to.equal(400);
    expect(refused.body.error).to.include({ param: 'response_format' });
    expect((await ask()).status).to.equal(200);
  });

  it('spreads a share of failures evenly, until they are cleared', async () => {
    ai.faults.always({ status: 503, share: 0.25 });
    const statuses = [];
    for (let call = 0; call < 8; call += 1) statuses.push((await ask()).status);
    expect(statuses.filter(status => status === 503)).to.have.length(2);
    ai.faults.clear();
    expect((await ask()).status).to.equal(200);
    expect(ai.calls()).to.equal(9);
  });
});
