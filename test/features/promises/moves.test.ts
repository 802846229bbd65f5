import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { UNDOABLE } from '../../../src/features/promises/rules.ts';

/** A state where a statement writes one, spelled out; conditions may name the states that they look for. */
const SPELLED_OUT = new RegExp(
  `(?:set state =|then|else) '(?:${UNDOABLE.join('|')})'|'(?:${UNDOABLE.join('|')})' as state`,
  'g',
);

describe('The moves of promises', () => {
  it('are the only source of the states that statements write', () => {
    for (const repo of ['repo.ts', 'fromDigests/repo.ts', 'waiting/repo.ts']) {
      const text = readFileSync(new URL(`../../../src/features/promises/${repo}`, import.meta.url), 'utf8');
      expect(text.match(SPELLED_OUT), repo).to.equal(null);
    }
  });
});
