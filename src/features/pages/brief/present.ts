import { toOneLine } from '../../../lib/mailViews.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { localDay, mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { formatDateSpan, formatShortDay, formatTimeOfDay, isolateDirection } from '../../../lib/words.ts';
import { chooseKeyLines, describeExchanges, lineText, localizeExchanges } from '../../digests/describeExchanges.ts';
import { isQuoted, shownLanguage } from '../../digests/present.ts';
import { describeMessages, describeWords, formatInFull } from '../../digests/quoteSource.ts';
import type { Digest, ShownDigest, SourceMessage } from '../../digests/schema.ts';
import type { PassageWithConsent } from '../../messenger/consent/service.ts';
import { chatLink, dialogName } from '../../messenger/dialogs/rules.ts';
import { describeRow } from '../../promises/list/describeRow.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { peerName, readQuotedAt, shortNameOf, toOwnPromise } from '../ask/passages.ts';
import type { presentWritten } from '../ask/present.ts';
import { drawMoods } from '../conversation/present.ts';
import { findFacts, findHours, type Reading } from './findFacts.ts';
import type { Brief, FactKind } from './schema.ts';

const KINDS: Record<FactKind, string> = {
  money: 'Price, terms',
  days: 'Days',
  numbers: 'Numbers',
  files: 'Files',
  contacts: 'Contact',
};
const MAX_OWED = 6;
/** A longer promise is cut, so that the page stays one. */
const MAX_OWED_LENGTH = 160;

type ListKey = SourcedPromise['direction'] | 'perhapsSettled' | 'kept';

/** A conversation's brief as its page prints it. */
export function presentBrief(brief: Brief) {
  const { dialog, state, today, promises } = brief;
  const name = dialogName(dialog);
  const isPerson = dialog.peerType === 'user';
  const short = isPerson ? readPersonName(dialog.peerName).short || name : name;
  const { cite, sources } = collectSources(brief);
  const modelPassages = collectPassages();
  const listOf = (promise: SourcedPromise): ListKey => {
    if (promise.state === 'done') return 'kept';
    return isListedAsDoubtful(promise, brief) ? 'perhapsSettled' : promise.direction;
  };
  const list = (key: ListKey, title: string) => {
    const listed = promises.filter(promise => listOf(promise) === key);
    const rows = listed.slice(0, MAX_OWED).map(promise => {
      const row = describeOwed(promise, { brief, cite, isMixed: key !== promise.direction });
      modelPassages.addPromise(promise, row);
      return row;
    });
    // The list it leads to is of this conversation and of one side.
    const left = listed.slice(MAX_OWED).find(({ dialogId }) => dialogId === dialog.id)?.direction;
    const view = left === 'mine' ? 'yours' : left;
    return { key, title, rows, more: view ? `/promises?view=${view}&dialog=${dialog.id}` : '' };
  };
  const owed = [
    list('mine', isPerson ? `You owe ${short}` : 'You owe'),
    list('theirs', isPerson ? `${short} owes you` : 'Others owe'),
    list('unassigned', 'One of you'),
  ];
  const rowsOwed = owed.flatMap(({ rows }) => rows);
  const lists = [...owed, list('perhapsSettled', 'Perhaps settled'), list('kept', 'Kept lately')];
  const listedIds = new Set(lists.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const told = promises.filter(({ id }) => listedIds.has(id));
  const covered = new Set(told.flatMap(promise => promise.sourceMessageIds.map(id => `${promise.dialogId} ${id}`)));
  const facts = findFacts(brief.digests, { ...brief, covered }).map(fact => {
    const { kind, words, who, day: date, digest } = fact;
    const source = cite(digest.sources.messages, fact.messageIds);
    modelPassages.addLine(digest, { ...fact, source });
    const language = shownLanguage(digest);
    return { kind, label: KINDS[kind], words, who, date, day: formatShortDay(date, today), source, language };
  });
  const weeks = describeWeeks(brief, { covered, cite, addLine: modelPassages.addLine });
  const last = lastMoment(brief, dialog.id);
  const phone = state.contact?.phone || dialog.peerPhone;
  const about = [
    state.contact?.company ?? '',
    state.contact?.email ?? '',
    /^\+\d{7,15}$/.test(phone) ? formatPhone(phone) : phone,
    dialog.peerUsername && `@${dialog.peerUsername}`,
  ].filter(Boolean);
  return {
    id: dialog.id,
    name,
    short,
    about,
    isPerson,
    colleagues: brief.colleagues.map(colleague => ({ name: dialogName(colleague), href: `/brief/${colleague.dialogId}` })),
    lists: lists.filter(({ rows }) => rows.length > 0),
    facts,
    weeks,
    sources,
    mood: drawMoods(brief.moods, { today }),
    chat: chatLink(dialog),
    record: brief.contactUrl,
    next: nextOf(brief, rowsOwed, covered),
    last: last > 0 ? formatShortDay(localDay(new Date(last), brief.timezone), today) : '',
    isEmpty: brief.digests.length === 0 && promises.length === 0,
    tries: [`What do I still owe ${short}?`, `What did ${short} say about the price?`],
    passages: modelPassages.passages,
    sourceOf: modelPassages.sourceOf,
  };
}
type ShownBrief = ReturnType<typeof presentBrief>;

/** The brief with the sentences that a model wrote about it, and all of it as plain text. */
export function withSentences(shown: ShownBrief, written: ReturnType<typeof presentWritten>) {
  return { ...shown, written, text: writeText(shown, written?.sentences ?? []) };
}

/** Whether a promise isn't listed as owed: messages seem to have settled it, or the talk went on past a quote's day. */
function isListedAsDoubtful(promise: SourcedPromise, brief: Brief): boolean {
  const due = `${promise.dueDate ?? ''} ${promise.dueTime ?? ''}`;
  if (promise.dueDate && due > `${brief.today} ${formatTimeOfDay(brief.now, brief.timezone)}`) return false;
  const saidAt = Date.parse(promise.sources.at(-1)?.sentAt ?? promise.lastSaidOn);
  return promise.isDoubtful || (promise.standing === 'perhapsSettled' && saidAt < lastMoment(brief, promise.dialogId));
}

/** The time of the newest message that the conversation's digests cover, in ms; 0 or less without any. */
function lastMoment({ digests }: Brief, dialogId: string): number {
  const own = digests.filter(digest => digest.dialogId === dialogId);
  return Math.max(...own.map(({ lastMessageAt }) => lastMessageAt?.getTime() ?? 0));
}

type OwedPlace = { brief: Brief; cite: Cite; isMixed: boolean };
/** @param isMixed its list has promises of both sides, so it says whose it is, unless a quote shows who said it */
function describeOwed(promise: SourcedPromise, { brief, cite, isMixed }: OwedPlace) {
  const { today, now, timezone, dialog } = brief;
  const row = describeRow(promise, { today, now, timezone, view: promise.direction === 'mine' ? 'yours' : 'theirs' });
  const other = promise.dialogId === dialog.id ? '' : dialogName(promise);
  const isKept = promise.state === 'done';
  const { words: title, quotes } = describeWords(promise);
  const shortened = (words: string) => toOneLine(words, MAX_OWED_LENGTH);
  const hasAuthors = quotes.some(({ by }) => by !== '');
  const theirs = other || promise.direction === 'unassigned' ? '' : shortNameOf(promise);
  const side = promise.direction === 'mine' ? 'You' : theirs;
  const owner = row.owner || (isMixed && !hasAuthors ? side : '');
  return {
    id: promise.id,
    title,
    words: formatInFull(promise).map(shortened).join('\n'),
    quotes: hasAuthors ? quotes.map(quote => ({ ...quote, words: shortened(quote.words) })) : [],
    who: [owner, other].filter(Boolean).join(', '),
    doubt: promise.isDoubtful && row.evidence?.quote ? { ...row.evidence, quote: shortened(row.evidence.quote) } : null,
    due: isKept
      ? { due: `kept ${row.when}`, time: '', tone: 'plain' as const }
      : { due: row.due || 'no day', time: row.time, tone: row.tone },
    date: promise.dueDate,
    isKept,
    source: cite(promise.sources, promise.sourceMessageIds),
  };
}

/** What is next and surely open, a dated promise or an hour that was named, and the next appointment if that comes later. */
function nextOf(brief: Brief, rows: ReturnType<typeof describeOwed>[], covered: Reading['covered']) {
  const { promises, digests, dialog, today, timezone } = brief;
  const moment = `${today} ${formatTimeOfDay(brief.now, timezone)}`;
  const ahead = promises.filter(({ dueDate, dueTime }) => dueDate !== null && `${dueDate} ${dueTime ?? '24:00'}` >= moment);
  const kinds = new Map(ahead.map(({ id, kind }) => [id, kind]));
  const byDay = rows.flatMap(({ id, title, date, doubt, due: { time } }) =>
    date !== null && !doubt && kinds.has(id) ? [{ title, date, time, isAppointment: kinds.get(id) === 'appointment' }] : [],
  );
  const own = digests.filter(({ dialogId }) => dialogId === dialog.id);
  const due = [...byDay, ...findHours(own, { ...brief, covered })].toSorted((a, b) =>
    `${a.date}${a.time}`.localeCompare(`${b.date}${b.time}`),
  );
  const next = new Set([...due.slice(0, 1), ...due.filter(({ isAppointment }) => isAppointment).slice(0, 1)]);
  return [...next].map(({ title, date, time }, at) => ({
    label: at === 0 ? 'Next' : 'Appointment',
    words: title,
    when: `${formatShortDay(date, today)}${time}`,
  }));
}

const MAX_WEEKS = 4;
const LINES_OF_WEEK = 2;
const MAX_LINE = 140;
/** Newest days in full, since one line rarely describes the current state; a model's are shorter. */
const DAYS_IN_FULL = { quoted: 3, written: 5 };
const MAX_EXCHANGE_LENGTH = 400;

type WeekLine = { words: string; messageIds: string[] };
type With = {
  /** The messages that the page tells of already: `conversation message`. */
  covered: ReadonlySet<string>;
  cite: Cite;
  addLine: ReturnType<typeof collectPassages>['addLine'];
};

/** The messages of the newest days, and the last ones of some others, by week, newest first. */
function describeWeeks({ digests, today, timezone, dialog }: Brief, { covered, cite, addLine }: With) {
  const inFull = new Set(digests.filter((one, at) => at < DAYS_IN_FULL[isQuoted(one) ? 'quoted' : 'written']));
  const byWeek = [...Map.groupBy(digests, ({ digestDate }) => mondayOf(digestDate))].slice(0, MAX_WEEKS);
  const weeks = byWeek.map(([monday, days]) => ({
    week: monday === mondayOf(today) ? 'This week' : formatDateSpan(monday, sundayOf(monday), today),
    lines: days
      .filter((digest, at) => at < LINES_OF_WEEK || inFull.has(digest))
      .flatMap(digest => {
        const other = digest.dialogId === dialog.id ? '' : `${dialogName(digest.dialog)}: `;
        return briefLines(digest, { timezone, covered }, inFull.has(digest)).map(({ words, messageIds }) => {
          const source = cite(digest.sources.messages, messageIds);
          addLine(digest, { words, source, day: digest.digestDate });
          const day = formatShortDay(digest.digestDate, today);
          return { words: `${other}${words}`, date: digest.digestDate, day, source, language: shownLanguage(digest) };
        });
      }),
  }));
  return weeks.filter(({ lines }) => lines.length > 0);
}

/** The exchanges of a day that the page doesn't tell already; else the line that says most, or the first sentence. */
function briefLines(digest: ShownDigest, { timezone, covered }: Omit<Reading, 'now'>, isInFull: boolean): WeekLine[] {
  const exchanges = localizeExchanges(digest, timezone);
  if (!exchanges) {
    const sentences = digest.sources.sentences.slice(0, isInFull ? undefined : 1);
    if (sentences.length === 0) return [{ words: toOneLine(digest.summary, MAX_LINE), messageIds: [] }];
    const wordsIn = (from: number, to: number) => toOneLine(digest.summary.slice(from, to), MAX_EXCHANGE_LENGTH);
    return sentences.map(({ from, to, messageIds }) => ({ words: wordsIn(from, to), messageIds }));
  }
  const shown = describeExchanges(exchanges, { today: digest.digestDate });
  const all = exchanges.map(({ opener, answers }, n) => {
    const lines = [opener, ...answers];
    return {
      at: `${opener.day} ${opener.time}`,
      words: toOneLine(shown[n]?.lines.map(lineText).join(' ') ?? '', MAX_EXCHANGE_LENGTH),
      messageIds: lines.flatMap(({ spans }) => spans.map(({ messageId }) => messageId)),
    };
  });
  const isCovered = ({ messageIds }: WeekLine) => messageIds.every(id => covered.has(`${digest.dialogId} ${id}`));
  // A digest begins with what ended a matter; here, the newest comes first on every level.
  if (isInFull) return all.filter(one => !isCovered(one)).toSorted((a, b) => b.at.localeCompare(a.at));
  const [line] = chooseKeyLines(exchanges, { isGroup: true });
  const words = line ? lineText(line) : '';
  const sentence = all.find(({ messageIds }) => line && messageIds.includes(line.messageId));
  return words === '' ? [] : [{ words: toOneLine(words, MAX_LINE), messageIds: sentence?.messageIds ?? [] }];
}

const cited = ({ words, source }: { words: string; source: number | null }) =>
  source === null ? words : `${words} [${source}]`;
const block = (title: string, lines: string[]) => (lines.length > 0 ? `${title}\n${lines.join('\n')}` : '');

/** A brief as plain text, to paste anywhere. */
function writeText(shown: ShownBrief, sentences: { text: string; sources: number[] }[]): string {
  const { name, about, colleagues, lists, facts, weeks, sources, next, last } = shown;
  const head = [
    name,
    about.join(' · '),
    colleagues.length > 0 ? `With ${colleagues.map(colleague => colleague.name).join(', ')}` : '',
    last && `Last contact: ${last}`,
    ...next.map(({ label, when, words }) => `${label}: ${when}: ${words}`),
  ];
  return [
    head.filter(Boolean).join('\n'),
    block(
      'How things stand',
      sentences.map(({ text, sources }) => `${text} [${sources.join(', ')}]`),
    ),
    ...lists.map(({ title, rows }) =>
      block(
        title,
        rows.map(row => {
          const said = cited(row).replaceAll('\n', '\n  ');
          const doubt = row.doubt ? `\n  Settled? ${isolateDirection(row.doubt.who)}: “${row.doubt.quote}”` : '';
          return `- ${row.who ? `${isolateDirection(row.who)}: ` : ''}${said} (${row.due.due}${row.due.time})${doubt}`;
        }),
      ),
    ),
    block(
      'Numbers, days and files',
      facts.map(fact => `- ${fact.label}: ${fact.who ? `${isolateDirection(fact.who)}: ` : ''}${cited(fact)} (${fact.day})`),
    ),
    block(
      'What happened',
      weeks.flatMap(({ week, lines }) => lines.map(line => `- ${week}: ${cited(line)}`)),
    ),
    block(
      'Sources',
      sources.map(({ number, who, when }) => `[${number}] ${isolateDirection(who)}, ${when}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n');
}

type Source = { number: number; who: string; when: string };

/** The number of the last of these messages among the sources; null where it was not kept. */
type Cite = (messages: readonly SourceMessage[], ids: readonly string[]) => number | null;

/** Numbers the sources in the order in which they are first named; what rests on the same message has one number. */
function collectSources({ today, timezone }: Brief): { cite: Cite; sources: Source[] } {
  const numbers = new Map<string, number>();
  const sources: Source[] = [];
  const cite: Cite = (messages, ids) => {
    const cited = messages.filter(({ id }) => ids.includes(id));
    const last = cited.at(-1);
    const [line] = last ? describeMessages([last], NO_PEER, { today, timezone }).lines : [];
    if (!last || !line) return null;
    const key = `${last.sender} ${last.sentAt} ${last.id}`;
    const number = numbers.get(key) ?? sources.length + 1;
    if (!numbers.has(key)) sources.push({ number, who: line.name, when: line.when });
    numbers.set(key, number);
    return number;
  };
  return { cite, sources };
}

const NO_PEER = { peerUsername: '', peerPhone: '', peer: { kind: 'user' as const, id: '' } };

type CitedWords = { words: string; who?: string; source: number | null };

/** Collects the lines of a brief that a model may get: only those whose source the page names. */
function collectPassages() {
  const passages: PassageWithConsent[] = [];
  const sources = new Map<number, number>();
  const add = ({ words, who, source }: CitedWords, passage: Omit<PassageWithConsent, 'n' | 'lines'>) => {
    if (source === null) return;
    const n = passages.length + 1;
    sources.set(n, source);
    passages.push({ ...passage, n, lines: [who ? `${who}: ${words}` : words] });
  };
  return {
    passages,
    /** The number on the page of what a passage rests on. */
    sourceOf: (n: number): number | null => sources.get(n) ?? null,
    addPromise(promise: SourcedPromise, line: CitedWords): void {
      const { dialogId, quotedAt, firstSaidOn: day } = promise;
      add(line, { peer: shortNameOf(promise), day, dialogId, quotedAt, promise: toOwnPromise(promise) });
    },
    addLine(digest: Digest, line: CitedWords & { day: string }): void {
      const peer = peerName({ digest, promise: undefined });
      add(line, { peer, day: line.day, dialogId: digest.dialogId, quotedAt: readQuotedAt(digest) });
    },
  };
}
