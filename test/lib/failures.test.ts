import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describeFailure, FAILURES, type Failure } from '../../src/lib/failures.ts';
import { titleOf } from '../../src/lib/words.ts';

const CATALOGUE = 'src/lib/failures.ts';
const failures = Object.keys(FAILURES) as Failure[];

describe('The catalogue of failures', () => {
  it('is the only place that spells out its sentences', () => {
    const sentences = new Set(
      failures.flatMap(failure => {
        const { sentence, said, toOperator } = describeFailure(failure);
        return [sentence, said, toOperator].map(titleOf);
      }),
    );
    const files = globSync(['src/**/*.ts', 'views/**/*.eta']).filter(path => path !== CATALOGUE);
    expect(files.length).to.be.greaterThan(300);
    const copies = files.flatMap(path => {
      const text = readFileSync(path, 'utf8');
      return [...sentences].filter(sentence => text.includes(sentence)).map(sentence => `${path}: ${sentence}`);
    });
    expect(copies).to.deep.equal([]);
  });

  it('has one sentence for each failure', () => {
    const sentences = failures.map(failure => describeFailure(failure).sentence);
    expect(new Set(sentences).size).to.equal(sentences.length);
    for (const sentence of sentences) expect(sentence).to.match(/^[A-Z][^.]*\.$/);
  });
});
