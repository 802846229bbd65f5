import { expect } from 'chai';
import request from 'supertest';
import { wordsOf } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

describe('The sign-in page', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  it('shows only ways to sign in that work', async () => {
    const { text } = await request(service.url).get('/signin');
    expect(wordsOf(text)).to.include('Development sign-in');
    expect(text).not.to.include('/api/auth/signin/email');
  });

  it('redirects signed-in users', async () => {
    const nora = await signIn(service, 'nora@example.com');
    await nora.get('/signin?callbackUrl=/settings').expect(302).expect('Location', '/settings');
    await nora.get('/').expect(302).expect('Location', '/start');
  });
});
