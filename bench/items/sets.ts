import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLabelledChats, readLabelledExport } from './days.ts';
import { examplesOf, type LearnedDay, learnItems } from './learn.ts';
import { firstDaysOf } from './pairs.ts';

/** Five folds by days; what is never measured on is learned from in each. */
export const FOLDS = 5;
export const foldOf = (index: number): number => index % FOLDS;

type Learned = { fold: number | null; examples: Awaited<ReturnType<typeof examplesOf>> };

/** Untidy days are what people write: they count twice. Days that rules were tuned with look too easy. */
const WEIGHTS = { messy: 2, untidy: 2, tidy: 1, pairs: 2, export: 1, everyday: 1 };
/** Days in the repository: untidy ones, and others to tune with. */
export const UNTIDY = fileURLToPath(new URL('../data/untidy.json', import.meta.url));
const EVERYDAY = ['everyday', 'more-days'].map(name => fileURLToPath(new URL(`../data/${name}.json`, import.meta.url)));

/** All labelled days with what is right on them. */
export async function allExamples(data: string): Promise<Learned[]> {
  const file = (name: string) => join(data, name);
  const messy = readLabelledChats(file('messy-chats.json')) ?? [];
  const tidy = readLabelledChats(file('labelled-chats.json')) ?? [];
  const pairs = tidy.length > 0 ? firstDaysOf(readFileSync(file('labelled-chats.json'), 'utf8')) : [];
  const exported = readLabelledExport(file('action-items.json'), file('telegram-export.json')) ?? [];
  const learned: Learned[] = [];
  const add = async (days: LearnedDay[], weight: number, isMeasured: boolean) => {
    for (const [index, day] of days.entries())
      learned.push({ fold: isMeasured ? foldOf(index) : null, examples: await examplesOf(day, weight) });
  };
  await add(messy, WEIGHTS.messy, true);
  await add(readLabelledChats(UNTIDY) ?? [], WEIGHTS.untidy, true);
  await add(tidy, WEIGHTS.tidy, true);
  for (const days of EVERYDAY) await add(readLabelledChats(days) ?? [], WEIGHTS.everyday, false);
  await add(pairs, WEIGHTS.pairs, false);
  await add(exported, WEIGHTS.export, false);
  return learned;
}

/** The weights with which a day of each fold is read: learned from all other folds. */
export async function weightsApart(data: string): Promise<ReturnType<typeof learnItems>[]> {
  const learned = await allExamples(data);
  return Array.from({ length: FOLDS }, (_, fold) =>
    learnItems(learned.filter(day => day.fold !== fold).flatMap(({ examples }) => examples)),
  );
}
