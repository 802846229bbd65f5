import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import { findAddresses } from '../../src/clients/summarizer/checker/addresses.ts';
import { cleanText } from '../../src/clients/summarizer/cleaning.ts';
import { findWhen } from '../../src/clients/summarizer/days/findWhen.ts';
import { LANGUAGES } from '../../src/clients/summarizer/languages/types.ts';
import { findLinks } from '../../src/clients/summarizer/links.ts';
import { findSecrets } from '../../src/clients/summarizer/masking/knownSecrets.ts';
import { maskSecrets } from '../../src/clients/summarizer/masking/maskSecrets.ts';
import { plainText } from '../../src/clients/summarizer/openai/plainText.ts';
import { prepareRequest } from '../../src/clients/summarizer/openai.ts';
import { looksLikePromptInjection } from '../../src/clients/summarizer/promptInjection.ts';
import { plainUsername } from '../../src/features/contacts/matching/compareWithContact.ts';
import { searchWords } from '../../src/features/contacts/pickContact.ts';
import { readPersonName } from '../../src/lib/names/personName.ts';
import { readName } from '../../src/lib/names/readings.ts';
import { formatPhone, readPhone } from '../../src/lib/phone.ts';
import { conversation, TUESDAY } from '../clients/summarizer/conversations.ts';

/** Characters: the longest message the messenger delivers. */
const LONGEST = 4096;
/** Milliseconds of the process's own time, so that a busy machine fails no test. */
const ONE_MESSAGE = 100;
const ONE_DAY = 2500;

/** Over and over: runs of one character, and words that the patterns look for, with what may stand between them. */
const HOSTILE = [
  ...[' ', '\n', '\t', '\n ', '-', '_', '.', ',', '"', '*', '#', '<', '[', '(', '{', '/', '@', '&', ':', '=', '+'],
  ...['1', '1 ', '1.', '1:', 'a', 'a ', 'a-', 'a.', 'A.', 'á', 'я', '好', 'ﷺ', '\u200b', '👍', '4111 ', '+49 '],
  ...['<a', '<!--', '<script>', '![', '[x](', 'http://', 'http://a.', 'a@', 'a@b.', 'www.', '&#x3c;', '```', '|im_'],
  ...['password', 'password is ', 'code ', 'the code for the ', 'key = ', '-----BEGIN ', 'eyJ', 'token=', 'army van '],
  ...['ignore ', 'ignore all previous ', 'system: ', 'instructions ', 'assistant, ', 'the above and ', 'игнорируй '],
  ...['please ', 'can you send ', 'I will ', 'by Friday ', 'next week ', 'on the 20th of ', 'tomorrow at 5 ', 'at 10:'],
  ...['завтра ', 'am 24.12. ', 'vendredi 20, ', 'pasado mañana ', 'w piątek ', '明天', 'غدا ', 'מחר ', 'no '],
].map(piece => piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST));

const nobody = { addresses: new Set<string>(), secrets: new Set<string>() };
/** Everything that reads a text from outside as one message, a name or a number. */
const READERS: Record<string, (text: string) => unknown> = {
  masking: maskSecrets,
  cleaning: cleanText,
  'instructions check': looksLikePromptInjection,
  'link finder': text => findLinks([text]),
  'address finder': text => findAddresses([text]),
  'answer reader': text => plainText(text, 900, nobody),
  'secret finder': text => findSecrets([text]),
  'name readers': text => [readName(text), readPersonName(text), searchWords(text), plainUsername(text)],
  'phone reader': text => [readPhone(text), formatPhone(text)],
  ...Object.fromEntries(
    [...LANGUAGES, 'it', 'nl', 'sv', 'ja', 'zh'].map(code => [
      `days in ${code}`,
      (text: string) => findWhen(text, code, TUESDAY, 'Europe/Berlin'),
    ]),
  ),
};

const builtIn = createBuiltInSummarizer();
const dayOf = (texts: string[]) => conversation(texts.map((text, at) => `${at % 2 ? 'Sam' : 'Eve'}: ${text}`));
const openPromise = (text: string, at: number) => ({
  ...{ n: at + 1, direction: at % 2 ? ('mine' as const) : ('theirs' as const), who: null, dueDate: null },
  ...{ text: text.slice(0, 300), saidAt: '2026-11-16', sourceTexts: [text] },
});
/** What reads a whole day. */
const DAY_READERS: Record<string, (texts: string[]) => unknown> = {
  'built-in summarizer': texts => builtIn.summarize(dayOf(texts)),
  'built-in summarizer, of a group': texts => builtIn.summarize({ ...dayOf(texts), isGroup: true }),
  'closing of promises': texts => builtIn.summarize({ ...dayOf(texts), openPromises: texts.slice(0, 60).map(openPromise) }),
  'AI preparation': texts => prepareRequest(dayOf(texts)),
};

/** The better of two times where the first is over the limit: it may pay for compiling. */
async function timeOf(limit: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  do {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  } while (times.length < 2 && Math.min(...times) > limit);
  return Math.min(...times);
}

describe('The patterns of the product', () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`let no message hold up the reader: ${name}`, async () => {
      for (const text of HOSTILE) {
        const time = await timeOf(ONE_MESSAGE, () => read(text));
        expect(time, JSON.stringify(text.slice(0, 40))).to.be.at.most(ONE_MESSAGE);
      }
    });
  }

  for (const [name, read] of Object.entries(DAY_READERS)) {
    it(`let no day of 500 such messages hold up the reader: ${name}`, async () => {
      for (const separator of ['', ' ', '\n']) {
        const day = Array.from({ length: 500 }, (_, at) => HOSTILE[(at * 7) % HOSTILE.length] + separator);
        expect(await timeOf(ONE_DAY, () => read(day))).to.be.at.most(ONE_DAY);
      }
    });
  }
});
