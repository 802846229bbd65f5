import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readPlainPairs } from '../../../../bench/items/plainPairs.ts';
import { readClosings } from '../../../../src/clients/summarizer/builtIn/closings.ts';

const FOLDER = new URL('../../../../bench/data/development/', import.meta.url);

describe('Promises of the chats to develop with', () => {
  it('closes none wrongly, and three of four of those kept', async () => {
    const pairs = readdirSync(FOLDER).flatMap(name => readPlainPairs(readFileSync(new URL(name, FOLDER), 'utf8')));
    const wrong: string[] = [];
    const kept: boolean[] = [];
    for (const { title, request, promises, labels } of pairs) {
      const closings = await readClosings({ ...request, openPromises: promises });
      for (const [at, promise] of promises.entries()) {
        const told = closings.find(({ n }) => n === promise.n)?.state ?? 'open';
        const label = labels[at]?.state;
        if ((told === 'done' || told === 'cancelled') && told !== label) wrong.push(`${title}: ${promise.text}`);
        if (label === 'done') kept.push(told === 'done');
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(kept.filter(Boolean).length / kept.length).to.be.at.least(0.75);
  });
});
