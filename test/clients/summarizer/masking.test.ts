import { expect } from 'chai';
import { cleanText } from '../../../src/clients/summarizer/cleaning.ts';
import { createExtractiveSummarizer } from '../../../src/clients/summarizer/extractive.ts';
import { conversation } from './conversations.ts';

const SECRETS: [text: string, secret: RegExp][] = [
  ['Your login code: 48213. Do not share it.', /48213/],
  ['482 913 is your verification code', /482|913/],
  ['G-482913 is your code', /482913/],
  ['739201', /739201/],
  ['Ihr Bestätigungscode lautet 55120', /55120/],
  ['Ваш код подтверждения: 90871', /90871/],
  ['Doğrulama kodunuz: 442190', /442190/],
  ['my card is 4111 1111 1111 1111, exp 12/28', /1111/],
  ['482913 4111 1111 1111 1111 2026', /1111/],
  ['card ٤١١١ ١١١١ ١١١١ ١١١١ please', /١١١١/],
  ['IBAN DE89 3704 0044 0532 0130 00', /3704|0532/],
  ['the password is hunter22!', /hunter/],
  ['the password is sunshine', /sunshine/],
  ['Passwort: Sonne-2024', /Sonne/],
  ['пароль: Зима2024', /Зима/],
  ['mot de passe : soleil!9', /soleil/],
  ['use sk-abcdefghijklmnop1234567890', /abcdefghij/],
  ['token eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh', /eyJ/],
  ['4\u200B111 1111 1111 1\u200B111', /111/],
];

const HARMLESS = [
  'The password is still wrong.',
  'A password-protected file.',
  'Pass the salt, pass to John.',
  'We need 1500 pieces by 2026-11-20, order 48213.',
  'Call me: +49 30 123456789012',
  'The code of conduct has 12 pages.',
  'Revenue grew to 2026000 in 2025.',
];

describe('what is masked', () => {
  for (const [text, secret] of SECRETS) {
    it(`hides the secret in "${text.replace(/\u200B/g, '·')}"`, () => {
      expect(cleanText(text)).to.include('••••').and.not.match(secret);
    });
  }

  for (const text of HARMLESS) {
    it(`leaves "${text}" as it is`, () => {
      expect(cleanText(text)).to.equal(text);
    });
  }

  it('lets no secret into any part of a digest', async () => {
    const lines = SECRETS.flatMap(([text]) => [
      `Eve: Can you please check this today?`,
      `Sam: ${text}`,
      'Eve: Let us meet tomorrow at 10:00.',
    ]);
    for (const style of ['BUSINESS', 'DETAILED', 'MINIMAL'] as const) {
      const digest = JSON.stringify(await createExtractiveSummarizer().summarize(conversation(lines, { style })));
      for (const [, secret] of SECRETS) expect(digest.replace(/[0-9a-f]{16}/g, '')).to.not.match(secret);
    }
  });
});
