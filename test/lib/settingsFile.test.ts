import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings, writeSettings } from '../../src/lib/settingsFile.ts';

describe('A settings file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-settings-'));
  const file = join(folder, 'settings.env');
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('gives back every value it takes, and refuses one that a line can’t hold', () => {
    const values = ['plain', 'a=b#c $d', "it's", '"quoted"', 'back`tick', 'C:\\new', '', 'ünï', 'both \' and "'];
    const settings = Object.fromEntries(values.map((value, index) => [`V${index}`, value]));
    writeSettings(file, settings);
    expect(readSettings(file)).to.deep.equal(settings);
    const before = readFileSync(file, 'utf8');
    for (const value of ['two\nlines', `all ' " and \``]) {
      expect(() => writeSettings(file, { V: value })).to.throw(/can’t be kept/);
    }
    expect(readFileSync(file, 'utf8')).to.equal(before);
  });
});
