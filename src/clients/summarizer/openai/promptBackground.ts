import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import type { Conversation } from '../conversation.ts';
import type { ItemLeftOpen, OpenPromise, SummaryRequest, SummaryStyle } from '../types.ts';
import { plainText } from './plainText.ts';
import type { ReadingRules } from './reply.ts';
import type { Line } from './transcript.ts';

/** What a prompt says beside the messages. */
export type PromptBackground = Pick<Conversation, 'names' | 'isGroup' | 'timezone'> & {
  /** What the answer must repeat. */
  code: string;
  style: SummaryStyle;
  /** YYYY-MM-DD */
  today: string;
  /** The days with messages, in order: YYYY-MM-DD with the name of the weekday. */
  days: string[];
  messageCount: number;
  /** The day of the last digest, where some of the messages were in it. */
  told: { day: string | null } | null;
  leftOpen: ItemLeftOpen[];
  promises: (Pick<OpenPromise, 'n' | 'direction' | 'who' | 'text' | 'dueDate' | 'saidAt'> & {
    /** The request that it answers. */
    answers?: string;
  })[];
};

const MOST_LEFT_OPEN = 12;
const MOST_PROMISES = 40;
const LONGEST = { text: 200, name: 40 };

export function backgroundOf(
  request: SummaryRequest,
  { names, isGroup, timezone }: Conversation,
  lines: Line[],
  { known, code }: Pick<ReadingRules, 'known' | 'code'>,
): PromptBackground {
  const { style, told, itemsLeftOpen = [], openPromises = [] } = request;
  return {
    names,
    isGroup,
    timezone,
    code,
    style,
    today: withWeekday(todayOf(request, timezone)),
    days: [...new Set(lines.map(({ at }) => at.slice(0, DAY_LENGTH)).filter(Boolean))].map(withWeekday),
    messageCount: lines.length,
    told: told && lines.some(line => line.told) ? { day: told.day } : null,
    leftOpen: itemsLeftOpen.slice(0, MOST_LEFT_OPEN).map(item => ({
      text: plainText(item.text, LONGEST.text, known),
      owner: item.owner,
      ownerName: item.ownerName && plainText(item.ownerName, LONGEST.name, known),
      dueDate: item.dueDate,
      since: item.since,
    })),
    promises: openPromises.slice(0, MOST_PROMISES).map(({ n, direction, who, text, request, dueDate, saidAt }) => ({
      n,
      direction,
      who: who && plainText(who, LONGEST.name, known),
      text: plainText(text, LONGEST.text, known),
      ...(request && { answers: plainText(request.words, LONGEST.text, known) }),
      dueDate,
      saidAt,
    })),
  };
}

/** YYYY-MM-DD */
export function todayOf({ today, messages }: SummaryRequest, timezone: string): string {
  const last = messages.at(-1)?.sentAt;
  return today ?? (last && Number.isFinite(last.getTime()) ? localDay(last, timezone) : '1970-01-01');
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function withWeekday(day: string): string {
  return `${day} ${WEEKDAYS[Temporal.PlainDate.from(day).dayOfWeek - 1]}`;
}
