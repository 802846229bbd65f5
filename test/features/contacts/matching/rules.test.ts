import { expect } from 'chai';
import { splitContactName } from '../../../../src/features/contacts/matching/compareWithContact.ts';
import { needsReview, writesNotes } from '../../../../src/features/contacts/matching/rules.ts';
import type { MatchStatus } from '../../../../src/features/messenger/dialogs/schema.ts';

const link = (status: MatchStatus, confidence = 1, contactId = '7') => ({ status, confidence, contactId });
const ask = { sureMatchesWrite: false, nameMatchesWrite: false };
const sure = { sureMatchesWrite: true, nameMatchesWrite: false };
const names = { sureMatchesWrite: true, nameMatchesWrite: true };

describe('Whether a match writes notes', () => {
  it('is yes for what was confirmed or created, whatever the switches say', () => {
    for (const status of ['CONFIRMED', 'CREATED'] as const) {
      expect(writesNotes(link(status), ask)).to.equal(true);
      expect(writesNotes(link(status, 1, ''), names)).to.equal(false);
    }
  });

  it('is yes for a phone or a username from 0.85 on, unless the person wants to be asked', () => {
    for (const status of ['AUTO_PHONE', 'AUTO_USERNAME'] as const) {
      expect(writesNotes(link(status, 0.85), sure)).to.equal(true);
      expect(writesNotes(link(status, 0.84), names)).to.equal(false);
      expect(writesNotes(link(status, 0.99), ask)).to.equal(false);
      expect(needsReview(link(status, 0.99), ask)).to.equal(true);
      expect(needsReview(link(status, 0.84), sure)).to.equal(true);
      expect(needsReview(link(status, 0.85), sure)).to.equal(false);
    }
  });

  it('is yes for a name only when the person allowed it', () => {
    expect(writesNotes(link('AUTO_NAME', 0.9), sure)).to.equal(false);
    expect(writesNotes(link('AUTO_NAME', 0.9), names)).to.equal(true);
    expect(needsReview(link('AUTO_NAME', 0.9), names)).to.equal(false);
  });

  it('is no for what is ignored or unmatched', () => {
    for (const status of ['IGNORED', 'UNMATCHED'] as const) expect(writesNotes(link(status), names)).to.equal(false);
  });
});

describe('The names of a new contact', () => {
  const cases: [written: string, firstname: string, lastname: string][] = [
    ['Ana Popescu | Acme', 'Ana', 'Popescu'],
    ['🚀 Ana  Popescu 🚀 (Acme)', 'Ana', 'Popescu'],
    ['Dr. Anna Petrova', 'Anna', 'Petrova'],
    ['Marc-Antoine Dufour-Lapointe', 'Marc-Antoine', 'Dufour-Lapointe'],
    ['John Smith Jr.', 'John', 'Smith Jr.'],
    ['Herr Müller', '', 'Müller'],
    ['| Acme', 'Acme', ''],
    ['Acme GmbH', 'Acme GmbH', ''],
    ['🚀🚀', '', ''],
  ];
  for (const [written, firstname, lastname] of cases) {
    it(`of "${written}" are "${firstname}" and "${lastname}"`, () => {
      expect(splitContactName(written)).to.include({ firstname, lastname });
    });
  }

  it('are no longer than a form takes', () => {
    expect(splitContactName(`${'x'.repeat(300)} y`).firstname).to.have.length(100);
  });
});
