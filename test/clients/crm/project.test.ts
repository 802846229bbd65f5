import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ACCOUNT_SCOPES, APP_SCOPES } from '../../../src/clients/crm/hubspot/oauth.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/hubspot/${name}`, import.meta.url), 'utf8');

/** https://developers.hubspot.com/docs/apps/developer-platform/build-apps/app-configuration */
describe('The files of the HubSpot app', () => {
  it('ask for the very scopes that the service asks for when someone connects', () => {
    const { type, config } = JSON.parse(read('src/app/app-hsmeta.json'));
    expect(type).to.equal('app');
    expect(config.auth).to.deep.include({ type: 'oauth', requiredScopes: [...APP_SCOPES], optionalScopes: [] });
  });

  it('list the scopes of a key, as does the setup page', () => {
    const setup = readFileSync(new URL('../../../views/setup/_crm.eta', import.meta.url), 'utf8');
    for (const scope of ACCOUNT_SCOPES) {
      expect(read('README.md')).to.include(`\`${scope}\``);
      expect(setup).to.include(`<code>${scope}</code>`);
    }
  });
});
