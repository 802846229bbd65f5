import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createHubspotClient } from '../../../src/clients/crm/hubspot.ts';
import { SignatureRefused } from '../../../src/clients/errors.ts';

const NOW = new Date('2026-11-18T07:00:00Z');
const URL = 'https://forenoon.example/api/webhooks/crm';
const report = () => undefined;
const { verifyRequest } = createHubspotClient({ clientId: 'app', clientSecret: 'secret', report });

describe('A request to the webhook of the CRM', () => {
  /** Signed as the CRM does, whatever the timestamp is. */
  const signed = (timestamp: string, rawBody = Buffer.from('[]')) => {
    const hmac = createHmac('sha256', 'secret').update(`POST${URL}`).update(rawBody).update(timestamp);
    const headers = { 'x-hubspot-signature-v3': hmac.digest('base64'), 'x-hubspot-request-timestamp': timestamp };
    return { method: 'POST', url: URL, rawBody, headers };
  };
  const verify = (request: ReturnType<typeof signed>) => () => verifyRequest?.(request, NOW);
  const at = (seconds: number) => String(NOW.getTime() + seconds * 1000);

  it('is the CRM’s if it was signed within five minutes, byte for byte', () => {
    expect(verify(signed(at(-299)))).not.to.throw();
    expect(verify(signed(at(299)))).not.to.throw();
    expect(verify(signed(at(0), Buffer.from([0xff, 0xfe])))).not.to.throw();
  });

  it('is refused where the signature is of another time, of none, or of other bytes', () => {
    for (const timestamp of [at(-301), at(301), 'soon', '-1', '1e3'])
      expect(verify(signed(timestamp)), timestamp).to.throw(SignatureRefused, 'wrong or old');
    const other = { ...signed(at(0), Buffer.from([0xff])), rawBody: Buffer.from([0xfe]) };
    expect(verify(other)).to.throw(SignatureRefused, 'wrong or old');
    expect(verify({ ...signed(at(0)), headers: { ...signed('').headers } })).to.throw(SignatureRefused, 'missing');
  });
});
