import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { STORY_ZONE, secondsOf, withDays } from '../../sandbox/messenger/samples/calendar.ts';
import { type Conversation, type Line, readCast, readConversations } from '../../sandbox/messenger/samples/story.ts';
import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { SummaryRequest } from '../../src/clients/summarizer/types.ts';
import { collectSources } from '../../src/features/digests/rules.ts';
import type { Db } from '../../src/lib/db.ts';
import { nameKeys } from '../../src/lib/nameKeys.ts';
import { localDay } from '../../src/lib/timezones.ts';
import { mediaInText } from '../../test/support/mediaInText.ts';
import { recordStored } from '../support/recordStored.ts';

/** Where a question is answered: `demo 01`, and the messages, by their place in the chat. */
export type Place = { chat: string; messages: number[] };
/** A day of a chat, as a sync would read it. */
type Day = { chat: string; date: string; group: boolean; request: SummaryRequest };
type Own = { userId: string; accountId: string };

/** The present day of the demo's story. */
export const TODAY = '2026-11-26';
const summarizer = createBuiltInSummarizer();

const daysSchema = z.object({
  days: z.array(
    z.object({
      ...{ day: z.string(), user: z.string(), peer: z.string(), group: z.boolean() },
      messages: z.array(z.object({ at: z.string(), from: z.string(), text: z.string() })),
    }),
  ),
});

/** The demo's chats and those of the folder, a chat for each conversation. */
export function readDays(folder: string): Day[] {
  const labelled = ['labelled', 'messy'].flatMap(set =>
    daysSchema.parse(JSON.parse(readFileSync(join(folder, `${set}-chats.json`), 'utf8'))).days.map((day, n) => ({
      ...{ chat: `${set} ${n}`, date: day.day, group: day.group },
      request: requestOf(
        { peer: day.peer, user: day.user, group: day.group },
        day.messages.map(({ at, from, text }, id) => ({
          ...{ id, sentAt: new Date(`${day.day}T${at}:00Z`), fromUser: from === day.user, senderName: from },
          ...mediaInText(text.replace(/^\[forwarded\] /, '')),
          forwarded: text.startsWith('[forwarded]'),
        })),
      ),
    })),
  );
  return [...demoDays(), ...labelled];
}

function requestOf(
  of: { peer: string; user: string; group: boolean },
  messages: SummaryRequest['messages'],
): SummaryRequest {
  return { peerName: of.peer, userName: of.user, isGroup: of.group, style: 'BUSINESS', timezone: 'UTC', messages };
}

function demoDays(): Day[] {
  const { owner, people } = readCast();
  const lastDay = Temporal.PlainDate.from(TODAY);
  const nameOf = (key: string | undefined) => {
    const person = key === 'me' ? owner : people[key ?? ''];
    return `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim();
  };
  return readConversations().flatMap((conversation, n) => {
    const peer = 'with' in conversation ? nameOf(conversation.with) : conversation.chat.title;
    const group = 'chat' in conversation;
    if (!isRead(conversation, people)) return [];
    const messages = conversation.messages.map((line, id) => ({
      ...{ id, sentAt: new Date(secondsOf(line.at, lastDay) * 1000), fromUser: line.from === 'me' },
      ...{ senderName: nameOf(line.from) || peer, forwarded: line.forwardedFrom !== null },
      ...mediaInText(textOf(line, lastDay)),
    }));
    const byDay = Map.groupBy(messages, ({ sentAt }) => localDay(sentAt, STORY_ZONE));
    const chat = `demo ${String(n + 1).padStart(2, '0')}`;
    return [...byDay].map(([date, own]) => ({
      chat,
      date,
      group,
      request: requestOf({ peer, user: nameOf('me'), group }, own),
    }));
  });
}

function isRead(conversation: Conversation, people: ReturnType<typeof readCast>['people']): boolean {
  if ('chat' in conversation) return conversation.chat.kind !== 'channel';
  const person = people[conversation.with];
  return person !== undefined && !person.isBot && !person.isDeleted;
}

const MEDIA: Record<string, string> = { voice: 'voice message', document: 'file' };

function textOf({ text, media, fileName }: Line, lastDay: Temporal.PlainDate): string {
  const attached = media && media !== 'sticker' ? `[${MEDIA[media] ?? media}${fileName ? `: ${fileName}` : ''}]` : '';
  return [attached, withDays(text, lastDay)].filter(Boolean).join(' ');
}

/** Stores the digests of all chats for one person. @returns the chat of each conversation, and which of its messages a digest holds */
export async function fillWorld(db: Db, days: Day[]) {
  const own = await begin(db);
  const dialogIds = new Map<string, string>();
  const held = new Map<string, Set<string>>();
  for (const { chat, date, group, request } of days) {
    const dialogId =
      dialogIds.get(chat) ?? (await insertDialog(db, own, { n: dialogIds.size + 1, name: request.peerName, group }));
    dialogIds.set(chat, dialogId);
    const { summary, structured, sentences = [] } = await summarizer.summarize(request);
    if (summary === '') continue;
    const sources = collectSources({ summary, sentences, structured }, request.messages);
    const kept = held.get(chat) ?? new Set<string>();
    for (const { opener, answers } of structured.exchanges ?? [])
      for (const line of [opener, ...answers]) for (const span of line.spans) kept.add(span.messageId);
    for (const item of structured.actionItems)
      for (const id of [...item.sourceMessageIds, item.request?.messageId ?? '']) kept.add(id);
    held.set(chat, kept);
    const last = request.messages.at(-1);
    const [{ id }] = await db('digests')
      .insert({
        ...{ user_id: own.userId, dialog_id: dialogId, digest_date: date, status: 'COMPLETE', engine: 'built-in', summary },
        ...{
          message_count: request.messages.length,
          after_message_id: request.messages[0]?.id ?? 0,
          last_message_id: last?.id ?? 0,
        },
        ...{ structured: JSON.stringify(structured), sources: JSON.stringify(sources), last_message_at: last?.sentAt },
      })
      .returning('id');
    await recordStored(db, { userId: own.userId, digestIds: [id], now: new Date(`${date}T23:00:00Z`) });
  }
  return { ...own, chatOf: new Map([...dialogIds].map(([chat, id]) => [id, chat])), held };
}

async function begin(db: Db): Promise<Own> {
  const [user] = await db('users').insert({ email: 'asking@example.com' }).returning('id');
  const account = { user_id: user.id, messenger_user_id: '1', status: 'active', connected_at: new Date(), credentials: '-' };
  const [row] = await db('messenger_accounts').insert(account).returning('id');
  return { userId: user.id, accountId: row.id };
}

async function insertDialog(
  db: Db,
  own: Own,
  { n, name, group }: { n: number; name: string; group: boolean },
): Promise<string> {
  const kind = group ? 'chat' : 'user';
  const peer = {
    peer_id: `${kind}:${n}`,
    peer_type: group ? 'group' : 'user',
    peer_kind: kind,
    peer_key: String(n),
    peer_name: name,
    name_keys: nameKeys(name),
  };
  const [row] = await db('dialogs')
    .insert({ user_id: own.userId, account_id: own.accountId, ...peer })
    .returning('id');
  return row.id;
}
