import { oneLine } from '../../../lib/mailViews.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { readablePhone } from '../../../lib/phone.ts';
import { shortDay } from '../../../lib/words.ts';
import { describeWords, wordsInFull } from '../../digests/describeWords.ts';
import { languageOf } from '../../digests/present.ts';
import { chatLink, nameOf } from '../../messenger/dialogs/rules.ts';
import { describeRow } from '../../promises/list/describeRow.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import type { presentWritten } from '../answers/present.ts';
import { drawMoods } from '../conversation/drawMoods.ts';
import { collectPassages } from './collectPassages.ts';
import { type Cite, collectSources } from './collectSources.ts';
import { describeWeeks } from './describeWeeks.ts';
import { findFacts } from './findFacts.ts';
import type { FactKind } from './schema.ts';
import type { Brief } from './service.ts';
import { writeText } from './writeText.ts';

const KINDS: Record<FactKind, string> = {
  money: 'Money',
  days: 'Days',
  numbers: 'Numbers',
  files: 'Files',
  contacts: 'Contact',
};
const MOST_OWED = 6;
/** A longer promise is cut, so that the page stays one. */
const LONGEST_OWED = 160;
const VIEWS = { mine: {}, theirs: { view: 'theirs' }, unassigned: { view: 'unassigned' } };

export type OwedLine = ReturnType<typeof describeOwed>;

/** A conversation's brief as its page prints it. */
export function presentBrief(brief: Brief) {
  const { dialog, state, today, promises } = brief;
  const name = nameOf(dialog);
  const isPerson = dialog.peerType === 'user';
  const short = isPerson ? readPersonName(dialog.peerName).short || name : name;
  const cite = collectSources(brief);
  const own = collectPassages();
  const isOpen = (promise: SourcedPromise) => promise.state === 'open';
  const of = (direction: keyof typeof VIEWS) =>
    promises.filter(promise => isOpen(promise) && promise.direction === direction);
  const owed = (listed: SourcedPromise[]) =>
    listed.slice(0, MOST_OWED).map(promise => {
      const row = describeOwed(promise, { brief, cite, short });
      own.addPromise(promise, row);
      return row;
    });
  const moreOf = (direction: keyof typeof VIEWS) =>
    of(direction).length > MOST_OWED
      ? `/promises?${new URLSearchParams({ ...VIEWS[direction], dialog: dialog.id })}`
      : '';
  const lists = [
    {
      key: 'mine' as const,
      title: isPerson ? `You owe ${short}` : 'You owe',
      rows: owed(of('mine')),
      more: moreOf('mine'),
    },
    {
      key: 'theirs' as const,
      title: isPerson ? `${short} owes you` : 'Others owe',
      rows: owed(of('theirs')),
      more: moreOf('theirs'),
    },
    { key: 'unassigned' as const, title: 'Unassigned', rows: owed(of('unassigned')), more: moreOf('unassigned') },
    {
      key: 'kept' as const,
      title: 'Kept lately',
      rows: owed(promises.filter(({ state: is }) => is === 'done')),
      more: '',
    },
  ];
  const told = new Set(promises.flatMap(one => one.sourceMessageIds.map(id => `${one.dialogId} ${id}`)));
  const facts = findFacts(brief.digests, { timezone: brief.timezone, told }).map(fact => {
    const source = cite(fact.digest.sources.messages, fact.messageIds);
    own.addLine(fact.digest, { ...fact, source });
    return {
      ...{
        kind: fact.kind,
        label: KINDS[fact.kind],
        words: fact.words,
        who: fact.who,
        date: fact.day,
        day: shortDay(fact.day, today),
      },
      ...{ source, language: languageOf(fact.digest) },
    };
  });
  const weeks = describeWeeks(brief, { told, cite, addLine: own.addLine });
  const about = [
    ...[state.contact?.company ?? '', state.contact?.email ?? ''],
    ...[readable(state.contact?.phone || dialog.peerPhone), dialog.peerUsername && `@${dialog.peerUsername}`],
  ].filter(Boolean);
  const shown = {
    ...{ id: dialog.id, name, short, about, isPerson },
    colleagues: brief.colleagues.map(one => ({ name: nameOf(one), href: `/brief/${one.dialogId}` })),
    lists: lists.filter(({ rows }) => rows.length > 0),
    ...{ facts, weeks, sources: cite.all },
    mood: drawMoods(brief.moods, { today }),
    chat: chatLink(dialog),
    record: brief.contactUrl,
    next: nextOf(
      lists.flatMap(({ key, rows }) => (key === 'kept' ? [] : rows)),
      today,
    ),
    isEmpty: brief.digests.length === 0 && promises.length === 0,
    until: brief.digests[0] ? shortDay(brief.digests[0].digestDate, today) : '',
    tries: [`What do I still owe ${short}?`, `What did ${short} say about the price?`],
  };
  return { ...shown, text: writeText({ ...shown, sentences: [] }), passages: own.passages, sourceOf: own.sourceOf };
}

/** The same with what a model wrote over it. */
export function withSentences(shown: ReturnType<typeof presentBrief>, written: ReturnType<typeof presentWritten>) {
  const sentences = written?.sentences ?? [];
  return { ...shown, written, text: writeText({ ...shown, sentences }) };
}

function readable(phone: string): string {
  return /^\+\d{7,15}$/.test(phone) ? readablePhone(phone) : phone;
}

function describeOwed(promise: SourcedPromise, { brief, cite, short }: { brief: Brief; cite: Cite; short: string }) {
  const { today, now, timezone, dialog } = brief;
  const row = describeRow(promise, { today, now, timezone, view: promise.direction === 'mine' ? 'yours' : 'theirs' });
  const other = promise.dialogId === dialog.id ? '' : nameOf(promise);
  const owner = row.owner === short ? '' : row.owner;
  const isKept = promise.state === 'done';
  const { words: title, quotes } = describeWords(promise);
  const shortened = (words: string) => oneLine(words, LONGEST_OWED);
  return {
    id: promise.id,
    title,
    words: wordsInFull(promise).map(shortened).join('\n'),
    quotes: quotes.length > 1 ? quotes.map(quote => ({ ...quote, words: shortened(quote.words) })) : [],
    who: [owner || (isKept && promise.direction === 'mine' ? 'You' : ''), other].filter(Boolean).join(', '),
    due: isKept
      ? { due: `kept ${row.when}`, time: '', tone: 'plain' as const }
      : { due: row.due || 'no day', time: row.time, tone: row.tone },
    date: promise.dueDate,
    isKept,
    source: cite(promise.sources, promise.sourceMessageIds),
  };
}

/** What comes next of what has a day. */
function nextOf(rows: OwedLine[], today: string) {
  const next = rows
    .filter(({ date }) => date !== null && date >= today)
    .toSorted((one, other) => String(one.date).localeCompare(String(other.date)))[0];
  return next && { words: next.title, when: shortDay(String(next.date), today), time: next.due.time };
}
