import { isolated } from '../../../lib/textDirection.ts';

type Cited = { words: string; source: number | null };
type Told = {
  name: string;
  sentences: { text: string; sources: number[] }[];
  about: string[];
  colleagues: { name: string }[];
  lists: { title: string; rows: (Cited & { who: string; due: { due: string; time: string } })[] }[];
  facts: (Cited & { label: string; who: string; day: string })[];
  weeks: { week: string; lines: Cited[] }[];
  sources: { number: number; who: string; when: string }[];
};

const cited = ({ words, source }: Cited) => (source === null ? words : `${words} [${source}]`);
const block = (title: string, lines: string[]) => (lines.length > 0 ? `${title}\n${lines.join('\n')}` : '');

/** A brief as plain text, to paste anywhere. */
export function writeText({ name, about, colleagues, sentences, lists, facts, weeks, sources }: Told): string {
  const head = [
    name,
    about.join(' · '),
    colleagues.length > 0 ? `With ${colleagues.map(one => one.name).join(', ')}` : '',
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
          return `- ${row.who ? `${isolated(row.who)}: ` : ''}${said} (${row.due.due}${row.due.time})`;
        }),
      ),
    ),
    block(
      'Numbers, days and files',
      facts.map(fact => `- ${fact.label}: ${fact.who ? `${isolated(fact.who)}: ` : ''}${cited(fact)} (${fact.day})`),
    ),
    block(
      'What happened',
      weeks.flatMap(({ week, lines }) => lines.map(line => `- ${week}: ${cited(line)}`)),
    ),
    block(
      'Sources',
      sources.map(({ number, who, when }) => `[${number}] ${isolated(who)}, ${when}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n');
}
