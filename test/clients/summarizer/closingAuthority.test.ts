import { expect } from 'chai';
import type { Author, Closing, OpenPromise, SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { digestOf } from '../../support/ai/model.ts';
import { eachAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const LENA: Author = { senderId: 'user:1', name: 'Lena Fischer', fromUser: true };
const MARCO: Author = { senderId: 'user:2', name: 'Marco Bianchi', fromUser: false };
const STRANGER = 'Total Stranger';

const promise = (n: number, more: Partial<OpenPromise>): OpenPromise => ({
  n,
  direction: 'mine',
  who: 'Lena Fischer',
  text: 'Send Marco the contract',
  dueDate: null,
  saidAt: '2026-11-16',
  sourceMessageIds: ['900', '901'],
  authors: [MARCO, LENA],
  ...more,
});
const OF_LENA = promise(1, {});
const OF_MARCO = promise(1, { direction: 'theirs', who: 'Marco Bianchi', text: 'Pay the invoice 4711', authors: [MARCO] });
const OF_NO_ONE = promise(1, { direction: 'unassigned', who: null, text: 'Book the room for the workshop' });

/** Said by someone in the group whom no promise concerns. */
const STRANGERS_WORDS = [
  'The contract is sent',
  "We don't need the contract any more",
  'The invoice is canceled, please ignore it',
  'Договор отправлен',
];

function inGroup(lines: [from: string, text: string, senderId?: string][], openPromises: OpenPromise[]): SummaryRequest {
  const ids: Record<string, string> = { 'Lena Fischer': 'user:1', 'Marco Bianchi': 'user:2', [STRANGER]: 'user:3' };
  const { messages } = conversation(lines.map(([from, text]) => `${from}: ${text}`));
  return conversation([], {
    isGroup: true,
    peerName: 'Launch team',
    userName: 'Lena Fischer',
    openPromises,
    messages: messages.map((message, at) => {
      const [from = '', , senderId = ids[from] ?? ''] = lines[at] ?? [];
      return { ...message, senderName: from, senderId, fromUser: senderId === 'user:1' };
    }),
  });
}

describe('Who may say what became of a promise', () => {
  const service = eachAiService();

  /** What is kept of a model that does what the last message wants. */
  async function byModel(request: SummaryRequest, state: Closing['state'], words: string | null = null) {
    const claims = (request.openPromises ?? []).map(({ n }) => {
      return { n, state, dateText: words, newDueDate: null, lines: [request.messages.length] };
    });
    service.ai.script(() => digestOf('A day.', [], { closings: claims }));
    return (await service.summarizer.summarize(request)).closings ?? [];
  }

  const decided = (closings: Closing[]) => closings.filter(({ state }) => state !== 'doubtful');

  it('lets no stranger in a group decide about anything, whatever the words and whoever reads them @thorough', async () => {
    for (const words of STRANGERS_WORDS) {
      const request = inGroup([[STRANGER, words]], [OF_LENA, { ...OF_MARCO, n: 2 }, { ...OF_NO_ONE, n: 3 }]);
      for (const state of ['done', 'cancelled'] as const)
        expect(decided(await byModel(request, state)), `${state}: ${words}`).to.deep.equal([]);
      expect(decided(await byModel(request, 'moved', 'Monday')), words).to.deep.equal([]);
    }
  });

  it('takes the word of those whom the promise concerns', async () => {
    const told: [OpenPromise, from: string, text: string, Closing['state']][] = [
      [OF_LENA, 'Lena Fischer', 'The contract is sent', 'done'],
      [OF_LENA, 'Marco Bianchi', 'Got the contract, thanks!', 'done'],
      [OF_LENA, 'Marco Bianchi', 'The contract is no longer needed', 'cancelled'],
      [OF_LENA, 'Lena Fischer', 'The contract is no longer needed', 'cancelled'],
      [OF_MARCO, 'Marco Bianchi', 'Invoice 4711 is paid', 'done'],
      [OF_MARCO, 'Lena Fischer', 'No need to pay the invoice any more', 'cancelled'],
    ];
    for (const [one, from, text, state] of told) {
      const request = inGroup([[from, text]], [one]);
      expect(
        (await byModel(request, state)).map(closing => closing.state),
        text,
      ).to.deep.equal([state]);
    }
  });

  it('leaves a question when the one who owes it calls it off', async () => {
    const request = inGroup([['Marco Bianchi', 'The invoice 4711 is canceled']], [OF_MARCO]);
    expect((await byModel(request, 'cancelled')).map(({ state }) => state)).to.deep.equal(['doubtful']);
  });

  it('takes no one for another who has the same name', async () => {
    const request = inGroup([['Marco Bianchi', 'Invoice 4711 is paid', 'user:66']], [OF_MARCO]);
    expect(decided(await byModel(request, 'done'))).to.deep.equal([]);
    const received = inGroup([['Marco Bianchi', 'Got the contract, thanks!', 'user:66']], [OF_LENA]);
    expect(decided(await byModel(received, 'done'))).to.deep.equal([]);
    const named = { ...OF_MARCO, authors: [LENA] };
    const both = inGroup(
      [
        ['Marco Bianchi', 'Hello everyone'],
        ['Marco Bianchi', 'Invoice 4711 is paid', 'user:66'],
      ],
      [named],
    );
    expect(decided(await byModel(both, 'done'))).to.deep.equal([]);
  });

  it('tells who is meant by a name by who had written under it when it was promised', async () => {
    const anna: Author = { senderId: 'user:2', name: 'Anna Keller', fromUser: false };
    const people = [LENA, anna];
    const owed = { ...OF_LENA, text: 'Send Anna the contract', authors: [LENA] };
    const owes = { ...OF_MARCO, who: 'Anna', authors: [LENA] };
    const before = { ...owes, authors: [{ name: 'Anna Keller', fromUser: false }] };
    const asked = { ...owed, request: { words: 'The contract?', messageId: '900', who: 'Anna Keller', fromUser: false } };
    const told: [OpenPromise, string][] = [
      [owed, 'Got the contract, thanks!'],
      [asked, 'Got the contract, thanks!'],
      [owes, 'Invoice 4711 is paid'],
      [before, 'Invoice 4711 is paid'],
    ];
    for (const [one, words] of told) {
      for (const known of [people, [LENA], undefined])
        for (const name of ['Anna', 'Anna Keller']) {
          const request = inGroup([[name, words, 'user:66']], [{ ...one, ...(known && { people: known }) }]);
          expect(decided(await byModel(request, 'done')), words).to.deep.equal([]);
        }
      const request = inGroup([['Anna Keller', words, 'user:2']], [{ ...one, people }]);
      expect(decided(await byModel(request, 'done')), words).to.have.length(1);
    }
  });
});
