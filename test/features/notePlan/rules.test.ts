import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { NOTE_STATES } from '../../../src/features/notePlan/schema.ts';

const REPOS = ['notePlan/repo.ts', 'notes/repo.ts'].map(
  name => new URL(`../../../src/features/${name}`, import.meta.url),
);

/** A state where a statement writes one, spelled out; conditions may name the states that they look for. */
const SPELLED_OUT = new RegExp(`(?:state[:=]|set state =|then|else|,) '(?:${NOTE_STATES.join('|')})'`, 'g');

describe('The moves of a note', () => {
  it('are the only source of the states that statements write', () => {
    for (const repo of REPOS) {
      const text = readFileSync(repo, 'utf8').replace(/\bin \([^)]*\)|\[[^\]]*\]/g, '');
      expect(text.match(SPELLED_OUT), String(repo)).to.equal(null);
      expect(text).to.match(/set (?:state = )?\$\{/);
    }
  });
});
