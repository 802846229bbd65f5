import { type Response, Router } from 'express';
import { z } from 'zod';
import type { Chat, ChatEntry, ChatMessage, Page } from './messenger/chats.ts';
import { STORY_ZONE } from './messenger/samples/calendar.ts';

/** The conversations of the messenger's accounts, to be read beside their digests. */
export type ChatSource = {
  accounts(): { name: string; worldKey: string }[];
  listChats(worldKey: string, page: number): Page<ChatEntry>;
  readChat(worldKey: string, key: string, page: number): Chat | undefined;
};

type Options = { source: ChatSource; render: (view: string, data: object) => string; missing: (res: Response) => void };

/** A form or link sends text; whatever is no page is the first one. */
const pageInput = z.object({ page: z.coerce.number().int().positive().catch(1) });

/** Read only: `/chats/ACCOUNT`, and `/chats/ACCOUNT/CONVERSATION` with author and time of each message. */
export function chatPages({ source, render, missing }: Options): Router {
  const pages = Router();
  const accountOf = (worldKey: string) => source.accounts().find(account => account.worldKey === worldKey);

  pages.get('/chats/:account', (req, res) => {
    const account = accountOf(req.params.account);
    if (!account) return missing(res);
    const { items, ...place } = source.listChats(account.worldKey, pageInput.parse(req.query).page);
    const here = `/chats/${encodeURIComponent(account.worldKey)}`;
    const chats = items.map(({ key, name, messages, newestAt }) => ({
      ...{ name, messages, href: `${here}/${encodeURIComponent(key)}` },
      newest: newestAt ? `${dayOf(newestAt)}, ${timeOf(newestAt)}` : '',
    }));
    res.send(render('chats', { account: account.name, chats, zone: STORY_ZONE, ...linksOf(here, place) }));
  });

  pages.get('/chats/:account/:key', (req, res) => {
    const { account: worldKey, key } = req.params;
    const account = accountOf(worldKey);
    const chat = account && source.readChat(worldKey, key, pageInput.parse(req.query).page);
    if (!account || !chat) return missing(res);
    const { items, name, ...place } = chat;
    const list = `/chats/${encodeURIComponent(worldKey)}`;
    const links = linksOf(`${list}/${encodeURIComponent(key)}`, place);
    res.send(render('chat', { account: account.name, name, list, days: daysOf(items), zone: STORY_ZONE, ...links }));
  });

  return pages;
}

function linksOf(here: string, { page, pages }: { page: number; pages: number }) {
  return {
    place: pages > 1 ? `Page ${page} of ${pages}` : '',
    newer: page > 1 ? `${here}?page=${page - 1}` : '',
    older: page < pages ? `${here}?page=${page + 1}` : '',
  };
}

function daysOf(messages: ChatMessage[]) {
  const byDay = Map.groupBy(messages, ({ at }) => dayOf(at));
  return [...byDay].map(([day, ofDay]) => ({
    day,
    messages: ofDay.map(message => ({ ...message, time: timeOf(message.at), datetime: message.at.toISOString() })),
  }));
}

/** Such as "Friday, 27 November 2026". */
export function dayOf(date: Date): string {
  const form = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: STORY_ZONE } as const;
  return date.toLocaleDateString('en-GB', form);
}

export function timeOf(date: Date): string {
  return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: STORY_ZONE });
}
