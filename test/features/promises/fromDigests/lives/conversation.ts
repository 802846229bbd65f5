import type { MessengerMessage, MessengerReader } from '../../../../../src/clients/messenger/types.ts';
import { actionItemIds } from '../../../../../src/clients/summarizer/actionItemId.ts';
import type {
  ActionItem,
  OpenPromise,
  QuotedClosing,
  Summarizer,
  SummaryRequest,
} from '../../../../../src/clients/summarizer/types.ts';
import { NOTHING_YET } from '../../../../../src/features/digests/schema.ts';
import type { Kind } from '../../../../../src/features/promises/schema.ts';
import type { Row } from './broken.ts';
import { type Chance, createChance, type Side, type Voiced } from './makeLife.ts';

/** What someone really said, whatever is read of it. */
type Underlying = {
  binding: number;
  requestId: number | null;
  /** A request that is always cited, so that a writer may also rest on the request alone. */
  cites: boolean;
  of: Side;
  thing: number;
  dueDate: string | null;
  kind: Kind;
};

export const NOUNS = [
  'contract',
  'invoice',
  'catalogue',
  'samples',
  'drawing',
  'deposit',
  'schedule',
  'licence',
  'brochure',
];
const THINGS = ['Vertrag', 'Rechnung', 'Katalog', 'Muster', 'Zeichnung', 'Anzahlung', 'Zeitplan', 'Lizenz', 'Prospekt'];
const WORDS = {
  builtIn: (thing: number) => `Send over ${NOUNS[thing]} ${thing}`,
  model: (thing: number) => `The ${NOUNS[thing]} ${thing} has to reach Leeds`,
  german: (thing: number) => `${THINGS[thing]} schicken`,
};
export const DAY = 24 * 3600 * 1000;
export const BEGIN = Date.parse('2026-11-02T09:00:00Z');

export type Conversation = ReturnType<typeof createConversation>;

/** What is written in one conversation, and what writers of digests make of it. */
export function createConversation(time: { now: number }) {
  const messages: MessengerMessage[] = [];
  const said: Underlying[] = [];
  /** By message: which promise it closes and how. */
  const closes = new Map<number, { binding: number; state: QuotedClosing['state'] }>();
  /** By message: what was ever read as someone else's, which may be another one. */
  const apart = new Map<number, Set<string>>();
  const clock = { now: () => new Date(time.now) };
  const today = () => clock.now().toISOString().slice(0, 10);
  const dayIn = (days: number) => new Date(time.now + days * DAY).toISOString().slice(0, 10);

  function write(by: Side): number {
    time.now += 60_000;
    const messageId = messages.length + 1;
    const fromUser = by === 'user';
    const sender = { senderName: fromUser ? 'Nora' : 'Farid', senderId: fromUser ? '1' : '2', fromUser };
    messages.push({ id: messageId, sentAt: clock.now(), ...sender, text: 'Said.', forwarded: false });
    return messageId;
  }

  const reader: MessengerReader = {
    async *dialogs() {},
    history: async (_, { afterId, untilId, limit }) =>
      messages.filter(({ id: one }) => one > afterId && one <= untilId).slice(-limit),
  };

  /** What a writer makes of the promises in these messages. */
  function readItems(read: readonly MessengerMessage[], { voice, seed }: Voiced): ActionItem[] {
    const idOf = actionItemIds();
    const inReach = new Set(read.map(({ id: one }) => one));
    const items = said.flatMap((one, at): ActionItem[] => {
      const chance = createChance(seed * 1009 + at);
      if (!inReach.has(one.binding) || chance.is(0.18)) return [];
      const owner = ownerOf(one, chance);
      const rests = restsOf(one, voice, chance);
      // Once that is settled, the answer to a request is another promise than the request alone.
      const isAsked = one.requestId !== null && rests.sourceMessageIds.join() === String(one.requestId);
      const isTurned = owner !== 'unknown' && owner !== one.of;
      const readApart = [isTurned && 'turned', isAsked && 'asked'].filter(how => how !== false);
      apart.set(one.binding, new Set([...(apart.get(one.binding) ?? []), ...readApart]));
      const text = WORDS[voice](one.thing);
      const id = idOf(rests.sourceMessageIds[0] ?? '', text.split(' '));
      const ownerName = owner === 'contact' ? 'Farid' : null;
      const due = { dueDate: one.dueDate, dueText: one.dueDate && 'then' };
      const kind = one.kind !== 'promise' && !chance.is(0.3) && { kind: one.kind };
      return [{ id, text, owner, ownerName, ...due, ...rests, ...kind }];
    });
    return seed % 2 === 0 ? items : items.reverse();
  }

  function ownerOf({ of }: Underlying, chance: Chance): ActionItem['owner'] {
    if (chance.is(0.12)) return 'unknown';
    const turned = of === 'user' ? 'contact' : 'user';
    return chance.is(0.06) ? turned : of;
  }

  /** On which messages an item rests: the one that binds, the request that it answers, or both. */
  function restsOf({ binding, requestId, cites }: Underlying, voice: Voiced['voice'], chance: Chance) {
    if (requestId === null) return { sourceMessageIds: [String(binding)] };
    const isCited = cites || (voice !== 'builtIn' && chance.is(0.5));
    const restsOnRequest = chance.is(0.15);
    if (restsOnRequest && cites) return { sourceMessageIds: [String(requestId)] };
    const sourceMessageIds = (restsOnRequest && isCited ? [requestId, binding] : [binding]).map(String);
    return { sourceMessageIds, ...(isCited && citedRequest(requestId)) };
  }

  function citedRequest(requestId: number): Pick<ActionItem, 'request'> {
    const asked = messages[requestId - 1];
    const author = { who: asked?.senderName ?? '', fromUser: asked?.fromUser ?? false };
    return { request: { words: 'Could you?', messageId: String(requestId), senderId: asked?.senderId, ...author } };
  }

  function readClosings(read: readonly MessengerMessage[], open: readonly OpenPromise[] = []): QuotedClosing[] {
    const found = new Map<number, QuotedClosing>();
    for (const { id: messageId } of read) {
      const closing = closes.get(messageId);
      if (!closing) continue;
      for (const { n, sourceMessageIds } of open) {
        if (!sourceMessageIds?.includes(String(closing.binding))) continue;
        const newDueDate = closing.state === 'moved' ? dayIn(5) : null;
        found.set(n, { n, state: closing.state, newDueDate, messageIds: [String(messageId)], quote: 'It is.' });
      }
    }
    return [...found.values()];
  }

  function writerIn(voiced: Voiced): Summarizer {
    const waits = { settledBy: null, settledWords: '', questions: [] };
    return {
      isInstant: voiced.voice === 'builtIn',
      summarize: async ({ messages: read, openPromises }: SummaryRequest) => ({
        summary: 'They wrote.',
        structured: { ...NOTHING_YET, actionItems: readItems(read, voiced) },
        closings: readClosings(read, openPromises),
        waits,
        engine: voiced.voice === 'builtIn' ? 'built-in' : 'model',
      }),
      readClosings: async ({ messages: read, openPromises }) => readClosings(read, openPromises),
      readWaits: async () => waits,
    };
  }

  /** One row rests on a message that promises something, and one more for each time it was read apart. */
  function doubles(rows: Row[]): string[] {
    return said.flatMap(({ binding }) => {
      const resting = rows.filter(row => row.sourceMessageIds.includes(String(binding)));
      const most = 1 + (apart.get(binding)?.size ?? 0);
      return resting.length > most ? [`${resting.length} promises rest on message ${binding}`] : [];
    });
  }

  return { messages, said, closes, write, reader, writerIn, doubles, today, dayIn };
}
