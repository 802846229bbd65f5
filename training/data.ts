import { readdirSync, readFileSync } from 'node:fs';
import { isDayName } from '../src/clients/summarizer/days/names.ts';
import type { DayRead } from '../src/clients/summarizer/reader/features.ts';

type LabelledItem = { on: number[]; who?: string | null; due?: string; date?: string };

/** A day as it stands in `training/days`; null is what its labels don't say. */
export type LabelledDay = {
  hand: string;
  language: string;
  group: boolean;
  user: string;
  peer: string;
  day: string;
  messages: [at: string, from: string, text: string][];
  items: LabelledItem[];
  settled: { asked: number[]; by: number[]; how: string | null }[] | null;
  waits: number[] | null;
  waiting?: boolean;
  essential: number[][] | null;
  useful: number[][] | null;
  urgency: 'low' | 'medium' | 'high';
  sentiment: 'positive' | 'neutral' | 'negative' | 'mixed';
};

export type Ending = { day: number; by: number[]; how: 'done' | 'cancelled' | 'moved' | 'doubtful'; date?: string };

export type LabelledStory = {
  hand: string;
  language: string;
  group: boolean;
  user: string;
  peer: string;
  days: { day: string; messages: [at: string, from: string, text: string][] }[];
  promises: { day: number; on: number[]; who: string | null; due?: string; date?: string; ends: Ending[] }[];
};

const HERE = new URL('./', import.meta.url);

function readLines<T>(folder: string, hands?: string[]): (T & { hand: string })[] {
  const files = readdirSync(new URL(folder, HERE)).filter(name => name.endsWith('.jsonl'));
  const names = files.map(name => name.slice(0, -'.jsonl'.length)).toSorted();
  return names
    .filter(hand => hands?.includes(hand) ?? true)
    .flatMap(hand =>
      readFileSync(new URL(`${folder}/${hand}.jsonl`, HERE), 'utf8')
        .trim()
        .split('\n')
        .map(line => ({ hand, ...JSON.parse(line) })),
    );
}

export const readDays = (hands?: string[]) => readLines<LabelledDay>('days', hands);
export const readStories = (hands?: string[]) => readLines<LabelledStory>('stories', hands);
export const readDaysApart = (hands?: string[]) => readLines<LabelledDay>('apart/days', hands);
export const readStoriesApart = (hands?: string[]) => readLines<LabelledStory>('apart/stories', hands);

export function asRead({
  group,
  user,
  language,
  messages,
}: Pick<LabelledDay, 'group' | 'user' | 'language' | 'messages'>): DayRead {
  const read = messages.map(([, from, text]) => ({ from, text, namesDay: isDayName(text, language) }));
  return { isGroup: group, user, messages: read };
}
