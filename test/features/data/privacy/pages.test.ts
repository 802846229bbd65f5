import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import request from 'supertest';
import { KEPT_DAYS } from '../../../../src/features/data/cleanUp/rules.ts';
import { presentPrivacy, type Services } from '../../../../src/features/data/privacy/present.ts';
import { wordsOf } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const BARE: Services = {
  ...{ ai: undefined, hasCrm: false, hasPayments: false, mailHost: undefined, hasAlertBot: false, hasRedis: false },
};

describe('The page about privacy', () => {
  let bare: Service;
  let full: Service;

  before(async () => {
    bare = await startService({ worker: false });
    const env = {
      ...{ AI_API_KEY: 'key', AI_MODEL: 'model-7', AI_API_URL: 'https://ai.example.org/v1' },
      ...{ ADMIN_MESSENGER_BOT_TOKEN: '1:secret', ADMIN_MESSENGER_CHAT_ID: '5' },
    };
    full = await startService({ worker: false, crm: true, payments: true, env });
  });
  after(stopServices);

  const words = async (service: Service) => wordsOf((await request(service.url).get('/privacy').expect(200)).text);

  it('names the services that are configured, and no secret', async () => {
    const plain = await words(bare);
    expect(plain).to.include('Only this server').and.include('in people’s own words: it quotes messages');
    for (const other of ['AI service', 'HubSpot', 'Stripe', 'Telegram bot']) expect(plain).not.to.include(other);
    const all = await words(full);
    expect(all)
      .to.include('The AI service at ai.example.org')
      .and.include('model model-7')
      .and.include('Access to HubSpot')
      .and.include('Stripe Gets your email address')
      .and.include('A Telegram bot Gets');
    expect(all.replaceAll('secrets masked', '')).not.to.match(/secret|sk_test/);
  });

  it('describes what is kept of messages in the same words everywhere, and claims nothing else', async () => {
    const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
    const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
    const sentence = onOneLine(read('views/shared/_whatIsKept.eta'));
    expect(sentence)
      .to.include(`after ${KEPT_DAYS.digests} days`)
      .and.include('consist of people’s own words')
      .and.include('when a message is deleted in Telegram');
    const nora = await signIn(bare, 'nora@example.com');
    for (const path of ['/privacy', '/settings', '/connect']) {
      const { text } = await nora.get(path).expect(200);
      expect(onOneLine(text), path).to.include(sentence);
    }
    expect(onOneLine(read('SECURITY.md'))).to.include(sentence);
    const untrue = /summari[sz]ed and forgotten|text is (not|never|neither) stored|leaves it for nobody|are not stored/i;
    const files = readdirSync(new URL('../../../../views', import.meta.url), { recursive: true, encoding: 'utf8' });
    const views = files.filter(file => file.endsWith('.eta')).map(file => `views/${file}`);
    const texts = [...views, 'README.md', 'SECURITY.md', '.env.example', 'app.json', 'CONTRIBUTING.md'];
    expect(texts.filter(file => untrue.test(onOneLine(read(file))))).to.deep.equal([]);
  });

  it('says how long everything is kept, by the periods that the clean-up uses', () => {
    const { stored } = presentPrivacy({ ...BARE, hasCrm: true, hasPayments: true });
    const kept = (what: string) => stored.find(line => line.what === what)?.kept;
    expect(kept('Digests')).to.equal(`${KEPT_DAYS.digests} days`);
    expect(kept('Syncs')).to.equal(`${KEPT_DAYS.syncJobs} days`);
    expect(kept('Your plan')).to.include(`${KEPT_DAYS.paymentEvents} days`);
    expect(kept('Links to sign in')).to.equal('1 day');
    expect(kept('Operator alerts')).to.equal(`${KEPT_DAYS.alerts} days`);
    expect(kept('Where you are signed in')).to.equal('30 days after the last use');
  });
});
