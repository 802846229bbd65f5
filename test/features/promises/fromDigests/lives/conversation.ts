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
const PARTS = {
  builtIn: (thing: number) => [`Send over ${NOUNS[thing]} ${thing}`, `Confirm receipt of ${NOUNS[thing]} ${thing}`],
  model: (thing: number) => [
    `The ${NOUNS[thing]} ${thing} has to reach Leeds`,
    `Tell Marcus about ${NOUNS[thing]} ${thing}`,
  ],
  german: (thing: number) => [`${THINGS[thing]} schicken`, `Eingang der ${THINGS[thing]} melden`],
};
export const DAY = 24 * 3600 * 1000;
export const BEGIN = Date.parse('2026-11-02T09:00:00Z');

export type Conversation = ReturnType<typeof createConversation>;

/** What is written in one conversation, and what writers of digests make of it. */
export function createConversation(time: { now: number }) {
  const messages: MessengerMessage[] = [];
  const said: Underlying[] = [];
  /** By message: which promise it closes and how, or that it answers everything. */
  const closes = new Map<number, { binding: number; state: QuotedClosing['state'] }>();
  const answers = new Set<number>();
  /** By message: what was ever read as two promises, or in other words as someone else's, which may be another one. */
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
      const isSplit = chance.is(0.06);
      // Once that is settled, the answer to a request is another promise than the request alone.
      const isAsked = one.requestId !== null && rests.sourceMessageIds.join() === String(one.requestId);
      noteApart(one, at, { isSplit, isTurned: owner !== 'unknown' && owner !== one.of, isAsked });
      const ownerName = owner === 'contact' ? 'Farid' : null;
      const due = { dueDate: one.dueDate, dueText: one.dueDate && 'then' };
      return PARTS[voice](one.thing)
        .slice(0, isSplit ? 2 : 1)
        .map(text => ({
          ...{ id: idOf(rests.sourceMessageIds[0] ?? '', text.split(' ')), text, owner, ownerName, ...due, ...rests },
          ...(one.kind !== 'promise' && !chance.is(0.3) && { kind: one.kind }),
        }));
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

  function noteApart(
    { binding }: Underlying,
    at: number,
    { isSplit, isTurned, isAsked }: { isSplit: boolean; isTurned: boolean; isAsked: boolean },
  ) {
    const more = [isSplit && 'split', isTurned && 'turned', isSplit && isTurned && 'both', isAsked && 'asked'].filter(
      Boolean,
    );
    apart.set(binding, new Set([...(apart.get(binding) ?? []), ...more.map(how => `${at} ${how}`)]));
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

  function writerIn(voiced: Voiced, meanwhile?: () => Promise<void>): Summarizer {
    const waitsIn = (read: readonly MessengerMessage[]) => {
      const last = read.findLast(({ id: one }) => answers.has(one));
      return { settledBy: last ? String(last.id) : null, settledWords: 'Yes.', questions: [] };
    };
    return {
      isInstant: voiced.voice === 'builtIn',
      async summarize({ messages: read, openPromises }: SummaryRequest) {
        await meanwhile?.();
        const actionItems = readItems(read, voiced);
        return {
          summary: 'They wrote.',
          structured: { ...NOTHING_YET, actionItems },
          closings: readClosings(read, openPromises),
          waits: waitsIn(read),
          engine: voiced.voice === 'builtIn' ? 'built-in' : 'model',
        };
      },
      readClosings: async ({ messages: read, openPromises }) => readClosings(read, openPromises),
      readWaits: async ({ messages: read }) => waitsIn(read),
    };
  }

  /** As many rows rest on a message as promises are in it, and one more for each that was read apart. */
  function doubles(rows: Row[]): string[] {
    return [...new Set(said.map(one => one.binding))].flatMap(binding => {
      const resting = rows.filter(row => !row.isAdded && row.sourceMessageIds.includes(String(binding)));
      const most = said.filter(one => one.binding === binding).length + (apart.get(binding)?.size ?? 0);
      return resting.length > most ? [`${resting.length} promises rest on message ${binding}`] : [];
    });
  }

  return { messages, said, closes, answers, write, reader, writerIn, doubles, today, dayIn };
}
