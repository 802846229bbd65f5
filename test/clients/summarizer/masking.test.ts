import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import { cleanText } from '../../../src/clients/summarizer/cleaning.ts';
import { findSecrets } from '../../../src/clients/summarizer/masking/knownSecrets.ts';
import { maskSecrets } from '../../../src/clients/summarizer/masking/maskSecrets.ts';
import { conversation } from './conversations.ts';

const SECRETS: [text: string, secret: RegExp][] = [
  ['Your login code: 48213. Do not share it.', /48213/],
  ['482 913 is your verification code', /482|913/],
  ['G-482913 is your code', /482913/],
  ['my card is 4111 1111 1111 1111, exp 12/28', /1111/],
  ['card ٤١١١ ١١١١ ١١١١ ١١١١ please', /١١١١/],
  ['card 𝟜𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 please', /𝟙𝟙𝟙|1111/u],
  ['IBAN DE89 3704 0044 0532 0130 00', /3704|0532/],
  ['card 4111\u00A01111\u00A01111\u00A01111', /1111/],
  ['IBAN DE89  3704  0044  0532  0130  00', /3704|0532/],
  ['the password is hunter22!', /hunter/],
  ['пароль: Зима2024', /Зима/],
  ['use sk-abcdefghijklmnop1234567890', /abcdefghij/],
  ['token eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh', /eyJ/],
  // Keys of services and wallets
  [`0x${'4c0883a6'.repeat(8)}`, /4c0883/],
  ['AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', /AKIA|K7MDENG/],
  ['github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456', /11ABCDEFG0/],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /MfKQ9/],
  ['pat-eu1-9f3c2f4e-1a2b-4c3d-8e9f-0123456789ab', /9f3c2f4e/],
  ['bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw', /AAHdq/],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabcd\n-----END RSA PRIVATE KEY-----', /MIIE|abcd/],
  ['legal winner thank year wave sausage worth useful legal winner thank yellow', /winner|sausage/],
  ['My seed: 1. army 2. van 3. defense 4. carry 5. jealous 6. true', /army|jealous/],
  // Passwords
  ['the password for the portal is hunter22!', /hunter/],
  ['密码是hunter22', /hunter/],
  ['the password for the wifi is 48291736', /48291736/],
  ['passphrase: correct horse battery staple', /horse|battery|staple/],
  ['the passphrase for the laptop is purple monkey dishwasher', /purple|monkey|dishwasher/],
  ['the passphrase is correct horse battery staple', /correct|horse|battery|staple/],
  ['recovery phrase: purple monkey 7 dishwasher', /purple|monkey|dishwasher/],
  ['api key = 9f3c2f4e', /9f3c/],
  // Plain words as passwords
  ['password is sunflower', /sunflower/],
  ['Please use sunflower as the password', /sunflower/],
  ['Das Passwort lautet Sonnenblume', /Sonnenblume/],
  ['le mot de passe du wifi est tournesol', /tournesol/],
  ['пароль от вайфая: подсолнух', /подсолнух/],
  // Plain words that begin like ones said about passwords, in this or another language
  ['the password is fortnite', /fortnite/],
  ['the password is wellington', /wellington/],
  ['password is notebook', /notebook/],
  ['please use paradise as the password', /paradise/],
  ['the password is segurito', /segurito/],
  ['the password for the wifi is longhorn', /longhorn/],
  ['wifi password goodbye', /goodbye/],
  ['das Passwort ist altona', /altona/],
  ['пароль это новосибирск', /новосибирск/],
  // UUIDs that open something
  ['Here is the token you need: 9f3c2f4e-1a2b-4c3d-8e9f-0123456789ab', /9f3c2f4e/],
  ['9f3c2f4e-1a2b-4c3d-8e9f-0123456789ab', /9f3c2f4e/],
  // Codes
  ['Use 991122 to log in', /991122/],
  ['验证码是 482913', /482913/],
  ['the door code is 4821', /4821/],
  ['keys are in the lockbox by the gate 90210', /90210/],
  // Names of files
  ['[document: wJalrXUtnFEMI7K7MDENG5bPxRfiCYEXAMPLEKEY.pdf] here', /K7MDENG/],
  ['[document: Scan 4111 1111 1111 1111.pdf]', /1111/],
  ['CVV 123 4', /123 4/],
  ['4\u200B111 1111 1111 1\u200B111', /111 1/],
];

const FILES = ['Contract Fixed, v3.1.pdf', 'Rahmenvertrag-Müller-2026-V2.1-Entwurf.docx'];

const HARMLESS = [
  'The password is still wrong.',
  'A password-protected file.',
  'We need 1500 pieces by 2026-11-20, order 48213.',
  'Call me: +49 30 123456789012',
  'The code of conduct has 12 pages.',
  'Revenue grew to 2026000 in 2025.',
  'Invoice RE-2026-00417 over 12,500.00 € is due on 30.11.2026.',
  'Wallet 0x52908400098527886E0F7030069857D2E4169EE7 is public.',
  'Version 2.14.1001 of createExtractiveSummarizerForTelegram is out.',
  'Ticket 123e4567-e89b-12d3-a456-426614174000 is closed.',
  'the password is wrong',
  'the passphrase is on the fridge door',
  'the passphrase is stored in the safe',
  'the password for the portal goes to 15000 users',
  'The password for the portal is the same as before.',
  'What is the password?',
  'el password no funciona',
  'el password es incorrecto',
  'The password was changed, this password isn’t working.',
  'Das Passwort ist zurückgesetzt, das alte Kennwort war unsicher.',
  'la password è sbagliata',
  'le mot de passe est faux',
  'Hasło jest nieprawidłowe.',
  'пароль теперь новый',
  'Das Passwort ist abgelaufen.',
  'La contraseña es incorrecta.',
  'Пароль пришлю завтра.',
  'Şifreyi unuttum.',
  'You can build this machine, then send that letter, visit the museum and use cash.',
  'Код товара 48213, почтовый код 10115.',
  '我们需要1500个。',
  // Names of files
  ...FILES.map(name => `[document: ${name}] Fixed, v3.1`),
  'Here is Nordkelvin_Offer_Bluepeak_v3.1.pdf, as agreed.',
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

  const ADDRESSES = {
    'https://acme.example/reset-password/9f3c2f4e1a2b?x=1': 'https://acme.example/reset-password/••••?x=1',
    'https://acme.example/page?token=abc&lang=en': 'https://acme.example/page?token=••••&lang=en',
    'hooks.slack.com/services/T0AB12CD3/B0AB12CD3/abcDEF123ghiJKL456mnoPQR': 'hooks.slack.com/services/••••/••••/••••',
    'https://discord.com/api/webhooks/104512345678/aBc-123_defGHI': 'https://discord.com/api/webhooks/••••/••••',
    'https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe': 'https://api.telegram.org/••••/getMe',
    'https://t.me/+AbCdEfGhIjKlMn': 'https://t.me/••••',
    'postgres://forenoon:hunter22@db.example/main': 'postgres://••••@db.example/main',
    'https://acme.example/callback#access_token=abcdef': 'https://acme.example/callback#access_token=••••',
    'https://acme.example/blog/2026/11/how-we-moved-12000-boxes?page=2':
      'https://acme.example/blog/2026/11/how-we-moved-12000-boxes?page=2',
    'https://shop.example/orders/48213': 'https://shop.example/orders/48213',
  };

  for (const [address, shown] of Object.entries(ADDRESSES)) {
    it(`shows the address ${address} as ${shown}`, () => {
      expect(maskSecrets(`See ${address} please`)).to.equal(`See ${shown} please`);
    });
  }

  it('lets no secret into any part of a digest', async () => {
    expect([...findSecrets(['card 41111111\u00A0\u00A011111111'])]).to.deep.equal(['41111111', '11111111']);
    const lines = SECRETS.flatMap(([text]) => [
      `Eve: Can you please check this today?`,
      `Sam: ${text}`,
      'Eve: Let us meet tomorrow at 10:00.',
    ]);
    for (const style of ['BUSINESS', 'DETAILED', 'MINIMAL'] as const) {
      const digest = JSON.stringify(await createBuiltInSummarizer().summarize(conversation(lines, { style })));
      for (const [, secret] of SECRETS) expect(digest.replace(/[0-9a-f]{16}/g, '')).to.not.match(secret);
    }
  });
});
