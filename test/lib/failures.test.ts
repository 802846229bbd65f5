import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describeFailure, describeOutage, FAILURES, type Failure } from '../../src/lib/failures.ts';
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

  it('counts the people a failure concerns', () => {
    expect(describeFailure('CRM_CONTACT_GONE', 1204).sentence).to.equal('1,204 contacts are no longer in the CRM.');
    expect(describeFailure('CRM_CONTACT_GONE').sentence).to.equal('This contact is no longer in the CRM.');
  });

  it('says of an outside service whether it asks to wait, is slow or can’t be reached', () => {
    const words = (kind: string, code: string) => describeOutage({ service: 'crm', kind, code }).sentence;
    expect(words('rateLimited', 'CRM_RATE_LIMIT')).to.equal('The CRM asks us to wait.');
    expect(words('temporary', 'TIMEOUT')).to.equal('The CRM didn’t respond in time.');
    expect(words('temporary', 'CRM_UNAVAILABLE')).to.equal('The CRM can’t be reached right now.');
  });
});
