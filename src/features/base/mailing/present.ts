import type { MailLook } from '../../../lib/mailLooks.ts';
import { oneLine } from '../../../lib/mailViews.ts';
import { type QuotedLine, quoteText } from '../../../lib/textDirection.ts';
import { formatCount } from '../../../lib/words.ts';

/** Longer lines are cut: this much is enough to know what they are about. */
export const LONGEST = { name: 60, words: 120, late: 80 };

/** How a day is shown in a mail: red for what is overdue, yellow for what the reader owes today. */
const DUE_LOOKS = { today: 'marker', late: 'late', plain: 'due' } as const satisfies Record<string, MailLook>;

/** Beside a promise that its person is asked about. */
const DOUBT = 'perhaps settled';

type Promised = {
  words: string;
  /** Line by line, where they are quoted. */
  quotes: readonly QuotedLine[];
  name: string;
  company: string;
  due: string;
  time: string;
  tone: keyof typeof DUE_LOOKS;
  /** Its person is asked whether it is settled. */
  isDoubtful: boolean;
  /** The path of its conversation. */
  conversation: string;
};

/** A promise as `views/shared/mail/_promises` prints it: what it says, and in plain text what that is about. */
export function promiseLine(row: Promised, appUrl: string) {
  const [name = '', company = '', day = ''] = [row.name, row.company, row.due].map(text => oneLine(text, LONGEST.name));
  const [due, time] = row.isDoubtful ? [day || DOUBT, day && `${row.time}, ${DOUBT}`] : [day, row.time];
  const about = [`${due}${time}`, name, company].filter(Boolean).join(' · ');
  const href = `${appUrl}${row.conversation}`;
  const quotes = row.quotes.map(({ by, words, isAnswer }) => ({
    ...{ by: oneLine(by, LONGEST.name), words: oneLine(words, LONGEST.words), isAnswer },
  }));
  const words = oneLine(row.words, LONGEST.words);
  const text = quotes.length > 0 ? quotes.map(quoteText).join('\n  ') : words;
  return { words, quotes, text, name, company, due, time, about, look: DUE_LOOKS[row.tone], href };
}

/** A person who waits, as `views/shared/mail/_waiting` prints it. */
export function waitLine(
  { name, words, since, conversation }: { name: string; words: string; since: string; conversation: string },
  appUrl: string,
) {
  return {
    name: oneLine(name, LONGEST.name),
    words: oneLine(words, LONGEST.words),
    since,
    href: `${appUrl}${conversation}`,
  };
}

/** What a list of a mail says beside its rows. @param where the rest is: `on Today` */
export function countLine(rows: readonly unknown[], total: number, where: string) {
  const left = total - rows.length;
  return { count: formatCount(total), more: left > 0 ? `${formatCount(left)} more ${where}` : '' };
}
