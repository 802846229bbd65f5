import { type MailLook, toOneLine } from '../../../lib/mailViews.ts';
import { addDays } from '../../../lib/timezones.ts';
import {
  formatCount,
  formatQuantity,
  formatUpcoming,
  formatWeekday,
  type QuotedLine,
  quoteText,
} from '../../../lib/words.ts';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';
import { nextWeekMail, toTimeOfDay } from './rules.ts';
import { MODE_LABELS, type WeekMail } from './schema.ts';

type MailContext = {
  mode: MailMode;
  email: string;
  past: { days: number; urgent: number };
  isConfigured: boolean;
  hasModel: boolean;
  /** The message beside the button; '' before anything was saved. */
  saved: string;
};

/** The part of the settings about the daily email: each choice with its description. */
export function presentMail({ mode, email, past, isConfigured, hasModel, saved }: MailContext) {
  const effects: Record<MailMode, string> = {
    OFF: 'See your day on Today.',
    ALWAYS:
      'After the daily digest: what is due, who waits, and what’s new. No email on days with none of that, unless Telegram has signed Forenoon out.',
    URGENT: `When a conversation is urgent, or Telegram has signed Forenoon out.${pastWords(past)}`,
  };
  const offered = MAIL_MODES.filter(value => value !== 'URGENT' || hasModel || mode === 'URGENT');
  const choices = offered.map(value => ({
    value,
    label: MODE_LABELS[value],
    effect: effects[value],
    isChosen: value === mode,
  }));
  return { choices, email, isConfigured, saved };
}

/** A trend needs more than two days. */
const MIN_DAYS_SHOWN = 3;

function pastWords({ days, urgent }: MailContext['past']): string {
  if (days < MIN_DAYS_SHOWN) return '';
  const some = urgent === 0 ? 'None' : formatCount(urgent);
  return ` ${some} of your last ${formatQuantity(days, 'day', 'days')} with digests had something urgent.`;
}

type AboutWeek = { weekMail: WeekMail; email: string; timezone: string; now: Date; isConfigured: boolean; isSaved: boolean };

const A_MONDAY = '2024-01-01';
const HOURS = 24;

/** The part of the settings about the weekly email. */
export function presentWeekMailSection({ weekMail, email, isConfigured, isSaved, ...chosen }: AboutWeek) {
  const next = weekMail.isOn ? `The next weekly email comes ${formatUpcoming(nextWeekMail(weekMail, chosen), chosen)}.` : '';
  return {
    isOn: weekMail.isOn,
    days: Array.from({ length: 7 }, (_, n) => ({
      value: n + 1,
      label: formatWeekday(addDays(A_MONDAY, n)),
      isChosen: weekMail.day === n + 1,
    })),
    hours: Array.from({ length: HOURS }, (_, hour) => ({
      value: hour,
      label: toTimeOfDay(hour),
      isChosen: weekMail.hour === hour,
    })),
    next,
    email,
    isConfigured,
    saved: isSaved ? `Saved. ${next}`.trim() : '',
  };
}

/** `Fridays at 16:00` */
export function weekMailWords({ day, hour }: Pick<WeekMail, 'day' | 'hour'>): string {
  return `${formatWeekday(addDays(A_MONDAY, day - 1))}s at ${toTimeOfDay(hour)}`;
}

/** Texts of the unsubscribe pages. A link ends only its kind of mail. */
export const MAIL_WORDS = {
  digest: {
    name: 'daily email',
    stays: 'Your day is still on Today',
    other: 'weekly email',
    page: { href: '/today', label: 'Go to Today' },
  },
  week: {
    name: 'weekly email',
    stays: 'Your week is still on the page The week',
    other: 'daily email',
    page: { href: '/week', label: 'Go to The week' },
  },
} as const;

/** Longer lines are cut: this much is enough to know what they are about. */
export const MAX_LENGTHS = { name: 60, summary: 200, words: 120, shortWords: 80 };

/** Colors of days in mails: red for overdue, yellow for the reader's due today. */
const DUE_LOOKS = { today: 'marker', late: 'late', plain: 'due' } as const satisfies Record<string, MailLook>;

/** Label of a promise that awaits the user's confirmation. */
const DOUBT = 'perhaps settled';

type Promised = {
  words: string;
  /** Line by line, where they are quoted. */
  quotes: readonly QuotedLine[];
  /** The words in which the day was said. */
  dueText: string | null;
  name: string;
  company: string;
  due: string;
  time: string;
  tone: keyof typeof DUE_LOOKS;
  /** The user is asked whether it is settled. */
  isPerhapsSettled: boolean;
  /** The path of its conversation. */
  conversation: string;
};

/** A promise as `views/shared/mail/_promises` prints it: what it says, and in plain text what that is about. */
export function promiseLine(row: Promised, appUrl: string) {
  const [name = '', company = '', day = ''] = [row.name, row.company, row.due].map(text =>
    toOneLine(text, MAX_LENGTHS.name),
  );
  const [due, time] = row.isPerhapsSettled ? [day || DOUBT, day && `${row.time}, ${DOUBT}`] : [day, row.time];
  const about = [`${due}${time}`, name, company].filter(Boolean).join(' · ');
  const href = `${appUrl}${row.conversation}`;
  const quotes = row.quotes.map(({ by, words, isAnswer }) => ({
    by: toOneLine(by, MAX_LENGTHS.name),
    words: cutPromise({ ...row, words }, MAX_LENGTHS.words),
    isAnswer,
  }));
  const words = cutPromise(row, MAX_LENGTHS.words);
  const text = quotes.length > 0 ? quotes.map(quoteText).join('\n  ') : words;
  return { words, quotes, text, name, company, due, time, about, look: DUE_LOOKS[row.tone], href };
}

/** The end of a sentence, and no short form such as "Dr.". */
const SENTENCE_END = /(?:(?<!\d|(?<!\p{L})\p{Lu}\p{L}{0,3})\.|[!?…])\s+|[。！？]/gu;

/** The words on one line. Those that are too long begin at the sentence that names the day. */
export function cutPromise({ words, dueText }: Pick<Promised, 'words' | 'dueText'>, longest: number): string {
  const day = dueText && new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(dueText)}(?![\\p{L}\\p{N}])`, 'iu').exec(words);
  const start = day && words.length > longest ? words.slice(0, day.index) : '';
  const end = [...start.matchAll(SENTENCE_END)].at(-1);
  return toOneLine(end ? `… ${words.slice(end.index + end[0].length)}` : words, longest);
}

/** A person who waits, as `views/shared/mail/_waiting` prints it. */
export function waitLine(
  { name, words, since, conversation }: { name: string; words: string; since: string; conversation: string },
  appUrl: string,
) {
  return {
    name: toOneLine(name, MAX_LENGTHS.name),
    words: toOneLine(words, MAX_LENGTHS.words),
    since,
    href: `${appUrl}${conversation}`,
  };
}

/** The length of a list in a mail, and how many of its rows are left out. @param where the rest is: `on Today` */
export function countLine(rows: readonly unknown[], total: number, where: string) {
  const left = total - rows.length;
  return { count: formatCount(total), more: left > 0 ? `${formatCount(left)} more ${where}` : '' };
}
