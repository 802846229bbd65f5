/** `npm run judge`: how right the reader is on days and stories kept apart, by hand and by language. */
import { readModel } from '../src/clients/summarizer/reader/weights.ts';
import { readDaysApart, readStoriesApart } from './data.ts';
import { endOf, HEADER, judgeDay, judgeStory, rowOf, storyRow, total } from './figures.ts';
import { otherDays } from './model.ts';

const model = readModel();
const judged = readDaysApart().map(day => ({ ...day, sums: judgeDay(model, day) }));
console.log(`${''.padEnd(10)}${HEADER}`);
for (const by of ['hand', 'language'] as const)
  for (const name of [...new Set(judged.map(day => day[by]))].toSorted())
    console.log(rowOf(name, total(judged.filter(day => day[by] === name).map(({ sums }) => sums))));
console.log(rowOf('all', total(judged.map(({ sums }) => sums))));
const ends = judged.map((day, at) => judgeDay(model, endOf(day, 1 + (at % 5))));
console.log(rowOf('ends', total(ends)));
const stories = readStoriesApart().map((story, n) => {
  const others = otherDays(story, n, judged).flatMap(at => [judged[at]!, endOf(judged[at]!, 1 + (n % 5))]);
  return { ...story, sums: judgeStory(model, story, others) };
});
for (const hand of [...new Set(stories.map(story => story.hand))])
  console.log(storyRow(hand, total(stories.filter(story => story.hand === hand).map(({ sums }) => sums))));
console.log(storyRow('all', total(stories.map(({ sums }) => sums))));
