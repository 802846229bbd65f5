import type { ActionItem } from '../../clients/summarizer/types.ts';
import { countOf, daysBetween, formatCount, shortDay } from '../../lib/words.ts';
import { isolateName } from '../../lib/writing.ts';
import { nameOf } from '../digests/describeAction.ts';
import { MANY_OPEN_ITEMS } from './repo.ts';
import type { OpenItem } from './schema.ts';
import type { FoundItem } from './service.ts';

/** An open item of an earlier day as `_todo.eta` prints it: in the right sidebar, and on a page of its own. */
export type Todo = {
  id: string;
  digestId: string;
  text: string;
  name: string;
  href: string;
  owner: string;
  due: string;
  isLate: boolean;
  isToday: boolean;
  isDone: boolean;
};

export type OpenItems = { items: OpenItem[]; total: number };

/** @param today the user's present day, YYYY-MM-DD */
export function presentEarlier({ items, total }: OpenItems, { today }: { today: string }) {
  return {
    todos: items.map(open => presentTodo(open, today)),
    total: totalWords(total),
    hasMore: total > items.length,
    allWords: `All ${totalWords(total)} open items`,
  };
}

function totalWords(total: number): string {
  return total >= MANY_OPEN_ITEMS ? `${formatCount(MANY_OPEN_ITEMS)}+` : formatCount(total);
}

function presentTodo({ item, ...open }: OpenItem, today: string): Todo {
  const name = nameOf({ dialog: open });
  return { ...open, ...aboutItem(item, { name, today }), name, href: `/conversations/${open.dialogId}`, isDone: false };
}

/** The same after a tick was set or taken away. */
export function presentTicked({ digest, item }: FoundItem, today: string): Todo {
  const { id: digestId, dialogId, ticked } = digest;
  const name = nameOf(digest);
  const about = { digestId, name, href: `/conversations/${dialogId}`, isDone: ticked.has(item.id) };
  return { ...about, ...aboutItem(item, { name, today }) };
}

type About = { name: string; today: string };

function aboutItem(
  { id, text, owner, ownerName, dueDate, dueText }: Omit<ActionItem, 'sourceMessageIds'>,
  { name, today }: About,
) {
  const late = dueDate ? daysBetween(dueDate, today) : 0;
  const isUser = owner === 'user';
  return {
    id,
    text: isolateName(text, name),
    owner: isUser ? '' : (ownerName ?? (owner === 'contact' ? 'theirs' : '')),
    due: dueDate ? dueWords(dueDate, late, today) : (dueText ?? 'no date'),
    isLate: isUser && late > 0,
    isToday: isUser && dueDate === today,
  };
}

function dueWords(dueDate: string, late: number, today: string): string {
  if (late > 0) return `${countOf(late, 'day', 'days')} late`;
  return late === 0 ? 'today' : `due ${shortDay(dueDate, today)}`;
}
