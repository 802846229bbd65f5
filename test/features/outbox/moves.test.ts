import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { NOTE_STATES } from '../../../src/features/outbox/notes/schema.ts';
import { TASK_STATES } from '../../../src/features/outbox/tasks/schema.ts';

const ROOMS = ['outbox', 'outbox/notes', 'outbox/tasks'];
const STATES = new Set([...NOTE_STATES, ...TASK_STATES]);

/** A state where a statement writes one, spelled out; conditions may name the states that they look for. */
const SPELLED_OUT = new RegExp(`(?:state[:=]|set state =|then|else|,) '(?:${[...STATES].join('|')})'`, 'g');

describe('The moves of notes and tasks', () => {
  it('are the only source of the states that statements write', () => {
    for (const room of ROOMS) {
      const repo = new URL(`../../../src/features/${room}/repo.ts`, import.meta.url);
      const text = readFileSync(repo, 'utf8').replace(/\bin \([^)]*\)|\[[^\]]*\]/g, '');
      expect(text.match(SPELLED_OUT), room).to.equal(null);
      expect(text, room).to.match(/state = (?:case when [^$]*)?\$\{|case when \$\{mayMove/);
    }
  });
});
