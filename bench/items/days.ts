import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { SENTIMENTS, type SummaryRequest, URGENCIES } from '../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../test/support/mediaInText.ts';

const exportSchema = z.object({
  personal_information: z.object({ user_id: z.number() }),
  chats: z.object({
    list: z.array(
      z.object({
        id: z.number(),
        name: z.string().nullish(),
        messages: z.array(
          z.object({
            id: z.number(),
            date: z.string(),
            date_unixtime: z.string(),
            from: z.string(),
            from_id: z.string(),
            text: z.string(),
          }),
        ),
      }),
    ),
  }),
});

const labelsShape = {
  actionItems: z.array(
    z.object({
      text: z.string(),
      owner: z.enum(['user', 'contact', 'unknown']),
      dueDate: z.string().nullable(),
      messages: z.array(z.number()),
    }),
  ),
  settled: z.array(z.union([z.string(), z.object({ text: z.string(), messages: z.array(z.number()) })])).default([]),
  waiting: z.boolean().optional(),
  urgency: z.enum(URGENCIES),
  sentiment: z.enum(SENTIMENTS),
  topics: z.array(z.string()),
  ideal: z.string(),
};
const chatsSchema = z.object({
  days: z.array(
    z.object({
      ...labelsShape,
      language: z.string(),
      group: z.boolean(),
      day: z.string(),
      user: z.string(),
      peer: z.string(),
      messages: z.array(z.object({ at: z.string(), from: z.string(), text: z.string() })),
    }),
  ),
});
const exportLabelsSchema = z.array(z.object({ ...labelsShape, chatId: z.number(), day: z.string() }));

type Labels = z.output<z.ZodObject<typeof labelsShape>>;

/** A day of a conversation with what a person found in it. Labelled messages are named by the ids of the request. */
export type LabelledDay = { title: string; language: string; request: SummaryRequest; labels: Labels };

/** Days in the layout of `labelled-chats.json`, or null when there is no such file. */
export function readLabelledChats(file: string): LabelledDay[] | null {
  if (!existsSync(file)) return null;
  return chatsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).days.map((day, index) => ({
    title: `${index + 1} ${day.language} ${day.day} ${day.user} with ${day.peer}`,
    language: day.language,
    labels: day,
    request: {
      peerName: day.peer,
      userName: day.user,
      isGroup: day.group,
      style: 'BUSINESS',
      timezone: 'UTC',
      messages: day.messages.map(({ at, from, text }, id) => ({
        id,
        sentAt: new Date(`${day.day}T${at}:00Z`),
        fromUser: from === day.user,
        senderName: from,
        ...mediaInText(text.replace(/^\[forwarded\] /, '')),
        forwarded: text.startsWith('[forwarded]'),
      })),
    },
  }));
}

/** The labelled days of the Telegram export, or null when either file is missing. */
export function readLabelledExport(labelsFile: string, exportFile: string): LabelledDay[] | null {
  if (!existsSync(labelsFile) || !existsSync(exportFile)) return null;
  const { chats, personal_information } = exportSchema.parse(JSON.parse(readFileSync(exportFile, 'utf8')));
  const chatById = new Map(chats.list.map(chat => [chat.id, chat]));
  const owner = `user${personal_information.user_id}`;
  return exportLabelsSchema.parse(JSON.parse(readFileSync(labelsFile, 'utf8'))).map(labels => {
    const chat = chatById.get(labels.chatId);
    const written = chat?.messages.filter(({ date }) => date.startsWith(labels.day)) ?? [];
    const userName = chats.list.flatMap(({ messages }) => messages).find(({ from_id }) => from_id === owner)?.from;
    return {
      title: `${labels.chatId} ${labels.day} ${chat?.name}`,
      language: 'en',
      labels,
      request: {
        peerName: chat?.name ?? '',
        userName: userName ?? '',
        isGroup: false,
        style: 'BUSINESS',
        timezone: 'UTC',
        messages: written.map(({ id, date, from, from_id, text }) => ({
          id,
          sentAt: new Date(`${date}Z`),
          fromUser: from_id === owner,
          senderName: from,
          ...mediaInText(text),
          forwarded: false,
        })),
      },
    };
  });
}
