import { z } from 'zod';
import { type LabelledPair, labelledPair } from './pairs.ts';

/**
 * Pairs of days in plain text, one below the other:
 *
 *     ## en | Dana Cole | Marcus Poole
 *     - done mine 2026-11-05 | Send Marcus the contract | I'll send you the contract by Thursday
 *     - open theirs - | Pay the invoice | I'll pay the invoice
 *     > contract sent
 *     < thanks
 *
 * The head names language, user and peer (followed by `| group` in a group), each promise its label (`moved>2026-11-09`
 * with the new day), whose it is (`theirs:Karl` in a group), its day, its text and the message that it rests on; `>` is
 * the user, `<` the peer, `Karl: ` someone in a group.
 */
export function readPlainPairs(text: string): LabelledPair[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((block, at) =>
      pairFrom(
        block.split('\n').filter(line => line.trim() !== ''),
        at + 1,
      ),
    );
}

const DAY_ONE = '2026-11-03';
const DAY_TWO = '2026-11-05';
const OWNERS = { mine: 'user', theirs: 'contact', unassigned: 'unknown' } as const;
const promiseSchema = z.object({
  state: z.enum(['done', 'cancelled', 'moved', 'open']),
  newDueDate: z.string().nullable(),
  owner: z.enum(['mine', 'theirs', 'unassigned']),
  who: z.string().nullable(),
  dueDate: z.string(),
  text: z.string().min(1),
  source: z.string().min(1),
});

function pairFrom([head = '', ...lines]: string[], n: number): LabelledPair {
  const [language = '', user = '', peer = '', group] = head.split('|').map(part => part.trim());
  const promises = lines
    .filter(line => line.startsWith('- '))
    .map(line => promiseFrom(line, user, group ? null : peer));
  const said = lines.filter(line => !line.startsWith('- ')).map(line => messageFrom(line, user, peer));
  return labelledPair({
    n,
    language,
    group: group === 'group',
    user,
    peer,
    dayOne: {
      day: DAY_ONE,
      messages: promises.map(({ source, ownerName }) => ({ at: '09:00', from: ownerName ?? peer, text: source })),
      actionItems: promises.map((promise, at) => ({ ...promise, messages: [at] })),
    },
    dayTwo: { day: DAY_TWO, messages: said.map((message, at) => ({ ...message, at: timeOf(at) })) },
    states: promises.map(({ state, newDueDate }, item) => ({ item, state, newDueDate })),
  });
}

function promiseFrom(line: string, user: string, peer: string | null) {
  const [facts = '', text, source] = line.slice(2).split(' | ');
  const [label = '', whose = '', dueDate] = facts.split(' ');
  const [state, newDueDate = null] = label.split('>');
  const [owner, who = null] = whose.split(':');
  const parsed = promiseSchema.parse({ state, newDueDate, owner, who, dueDate, text, source });
  const names = { mine: user, theirs: parsed.who ?? peer, unassigned: null };
  return {
    ...parsed,
    owner: OWNERS[parsed.owner],
    ownerName: names[parsed.owner],
    dueDate: parsed.dueDate === '-' ? null : parsed.dueDate,
  };
}

function messageFrom(line: string, user: string, peer: string): { from: string; text: string } {
  const [, mark = '', text = ''] = line.match(/^(>|<|[^:]{1,30}:) (.+)$/) ?? [];
  if (!text) throw new Error(`Neither a promise nor a message: ${line}`);
  const from = { '>': user, '<': peer }[mark] ?? mark.slice(0, -1);
  return { from, text };
}

/** Three minutes between two messages, from nine on. */
function timeOf(at: number): string {
  const minutes = 9 * 60 + at * 3;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
