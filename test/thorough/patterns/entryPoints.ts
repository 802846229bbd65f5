import { addressesMachine } from '../../../src/clients/summarizer/addressesMachine.ts';
import { createBuiltInSummarizer } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import { addressesIn } from '../../../src/clients/summarizer/checker/addresses.ts';
import { cleanText } from '../../../src/clients/summarizer/cleaning.ts';
import { findWhen } from '../../../src/clients/summarizer/days/findWhen.ts';
import { LANGUAGES } from '../../../src/clients/summarizer/languages/types.ts';
import { findLinks } from '../../../src/clients/summarizer/links.ts';
import { secretsIn } from '../../../src/clients/summarizer/masking/knownSecrets.ts';
import { maskSecrets } from '../../../src/clients/summarizer/masking/maskSecrets.ts';
import { plainText } from '../../../src/clients/summarizer/openai/plainText.ts';
import { prepareRequest } from '../../../src/clients/summarizer/openai.ts';
import type { OpenPromise } from '../../../src/clients/summarizer/types.ts';
import { plainUsername } from '../../../src/features/contacts/matching/compare.ts';
import { searchWords } from '../../../src/features/contacts/pickContact.ts';
import { readPersonName } from '../../../src/lib/names/personName.ts';
import { readName } from '../../../src/lib/names/readings.ts';
import { readablePhone, readPhone } from '../../../src/lib/phone.ts';
import { conversation, TUESDAY } from '../../clients/summarizer/conversations.ts';

const dayOf = (texts: string[]) => conversation(texts.map((text, at) => `${at % 2 ? 'Sam' : 'Eve'}: ${text}`));
const nobody = { addresses: new Set<string>(), secrets: new Set<string>() };

/** Everything that reads a text from outside as one message, a name or a number. */
export const ENTRY_POINTS: Record<string, (text: string) => unknown> = {
  masking: maskSecrets,
  cleaning: cleanText,
  'instructions check': addressesMachine,
  'link finder': text => findLinks([text]),
  'address finder': text => addressesIn([text]),
  'answer reader': text => plainText(text, 900, nobody),
  'secret finder': text => secretsIn([text]),
  'name readers': text => [readName(text), readPersonName(text), searchWords(text), plainUsername(text)],
  'phone reader': text => [readPhone(text), readablePhone(text)],
};

export const DATE_READERS: Record<string, (text: string) => unknown> = Object.fromEntries(
  [...LANGUAGES, 'it', 'nl', 'sv', 'ja', 'zh'].map(code => [
    code,
    text => findWhen(text, code, TUESDAY, 'Europe/Berlin'),
  ]),
);

const builtIn = createBuiltInSummarizer();
const promised = (text: string, n: number): OpenPromise => ({
  n,
  direction: n % 2 ? 'mine' : 'theirs',
  who: null,
  text: text.slice(0, 300),
  dueDate: null,
  saidAt: '2026-11-16',
  sourceTexts: [text],
});

/** The built-in summary of a day, and the day as it is prepared for a service. */
export const DAY_READERS: Record<string, (texts: string[]) => () => Promise<unknown>> = {
  'built-in summarizer': reading(dayOf, request => builtIn.summarize(request)),
  'built-in summarizer, of a group': reading(
    texts => ({ ...dayOf(texts), isGroup: true }),
    request => builtIn.summarize(request),
  ),
  'closing of promises': reading(
    texts => ({ ...dayOf(texts), openPromises: texts.slice(0, 60).map(promised) }),
    request => builtIn.readClosings(request),
  ),
  'AI preparation': reading(dayOf, prepareRequest),
};

/** Making the request is the test's own time. */
function reading<T>(made: (texts: string[]) => T, read: (request: T) => Promise<unknown>) {
  return (texts: string[]) => {
    const request = made(texts);
    return () => read(request);
  };
}

/** Runs them all once, so that what compiles a pattern at its first use has compiled it. */
export async function readEverything(text: string): Promise<void> {
  for (const read of [...Object.values(ENTRY_POINTS), ...Object.values(DATE_READERS)]) read(text);
  for (const read of Object.values(DAY_READERS))
    await read([text, `${text} Meet me at 10. I will call you on Friday.`, 'Thanks!', 'Thank you so much'])();
}
