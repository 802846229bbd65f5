import type { MessengerMessage, MessengerReader } from '../../../../../src/clients/messenger/types.ts';
import { actionItemIds } from '../../../../../src/clients/summarizer/actionItemId.ts';
import type {
  ActionItem,
  OpenPromise,
  QuotedClosing,
  Summarizer,
  SummaryRequest,
} from '../../../../../src/clients/summarizer/types.ts';
import { EMPTY_CONTENT } from '../../../../../src/features/digests/schema.ts';

export type Side = 'user' | 'contact';
/** How a writer reads: `seed` decides what it leaves out, cites and takes for someone else's. */
export type Voiced = { voice: 'builtIn' | 'model'; seed: number };

/** What someone really said, whatever is read of it. */
type Underlying = { binding: number; requestId: number | null; of: Side; thing: number; dueDate: string | null };

export const NOUNS = ['contract', 'invoice', 'catalogue', 'samples', 'drawing', 'deposit', 'schedule', 'licence'];
const TEXTS = {
  builtIn: (thing: number) => `Send over ${NOUNS[thing]} ${thing}`,
  model: (thing: number) => `The ${NOUNS[thing]} ${thing} has to reach Leeds`,
};
const NO_WAITS = { settledBy: null, settledWords: '', questions: [] };
export const DAY = 24 * 3600 * 1000;
export const BEGIN = Date.parse('2026-11-02T09:00:00Z');

export type Chance = ReturnType<typeof createChance>;

/** 32 bits of chance from a number; small and the same everywhere. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  const is = (share: number) => next() < share;
  const one = <T>(of: readonly [T, ...T[]]): T => of[whole(of.length)] ?? of[0];
  return { next, whole, is, one };
}

export type Conversation = ReturnType<typeof createConversation>;

/** What is written in one conversation, and what writers of digests make of it. */
export function createConversation(time: { now: number }) {
  const messages: MessengerMessage[] = [];
  const said: Underlying[] = [];
  /** By message: which promise it closes and how. */
  const closes = new Map<number, { binding: number; state: QuotedClosing['state'] }>();
  /**
   * By message: what was ever read in other words as someone else's, or as no one's where the message promises several
   * things. It may be another one.
   */
  const apart = new Map<number, Set<number>>();
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
      const owner = ownerOf(one, at, chance);
      const rests = restsOf(one, voice, chance);
      const text = TEXTS[voice](one.thing);
      const due = { dueDate: one.dueDate, dueText: one.dueDate && 'then' };
      const whose = { owner, ownerName: owner === 'contact' ? 'Farid' : null };
      const id = idOf(rests.sourceMessageIds[0] ?? '', text.split(' '));
      return [{ id, text, ...whose, ...due, ...rests }];
    });
    return seed % 2 === 0 ? items : items.reverse();
  }

  function ownerOf({ of, binding }: Underlying, at: number, chance: Chance): ActionItem['owner'] {
    const isUnknown = chance.is(0.12);
    if (!isUnknown && !chance.is(0.06)) return of;
    const isOneOfSeveral = said.filter(one => one.binding === binding).length > 1;
    if (!isUnknown || isOneOfSeveral) apart.set(binding, new Set([...(apart.get(binding) ?? []), at]));
    if (isUnknown) return 'unknown';
    return of === 'user' ? 'contact' : 'user';
  }

  /** On which messages an item rests: the one that binds, perhaps with the request that it answers. */
  function restsOf({ binding, requestId }: Underlying, voice: Voiced['voice'], chance: Chance) {
    if (requestId === null) return { sourceMessageIds: [String(binding)] };
    const isCited = voice === 'builtIn' || chance.is(0.5);
    const sourceMessageIds = (isCited && chance.is(0.15) ? [requestId, binding] : [binding]).map(String);
    const asked = messages[requestId - 1];
    const author = { who: asked?.senderName ?? '', fromUser: asked?.fromUser ?? false, senderId: asked?.senderId };
    const request = { words: 'Could you?', messageId: String(requestId), ...author };
    return { sourceMessageIds, ...(isCited && { request }) };
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
    return {
      isInstant: voiced.voice === 'builtIn',
      async summarize({ messages: read, openPromises }: SummaryRequest) {
        await meanwhile?.();
        return {
          summary: 'They wrote.',
          structured: { ...EMPTY_CONTENT, actionItems: readItems(read, voiced) },
          closings: readClosings(read, openPromises),
          waits: NO_WAITS,
          engine: voiced.voice === 'builtIn' ? 'built-in' : 'model',
        };
      },
    };
  }

  /** As many rows rest on a message as promises are in it, and one more for each that was read apart. */
  function doubles(rows: { sourceMessageIds: string[] }[]): string[] {
    return [...new Set(said.map(one => one.binding))].flatMap(binding => {
      const resting = rows.filter(row => row.sourceMessageIds.includes(String(binding)));
      const most = said.filter(one => one.binding === binding).length + (apart.get(binding)?.size ?? 0);
      return resting.length > most ? [`${resting.length} promises rest on message ${binding}`] : [];
    });
  }

  return { messages, said, closes, write, reader, writerIn, doubles, today, dayIn };
}
