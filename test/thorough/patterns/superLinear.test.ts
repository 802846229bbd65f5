import { expect } from 'chai';
import { superLinear } from './superLinear.ts';

const BAD = [
  /kod\p{L}*[^\n\p{Nd}]{0,40}?\p{Nd}{3}/giu,
  /(?:^|\n)\s*[#*>-]*\s*(?:system|tool)\s*:/u,
  /(?:talimat|kural)\p{L}*.{0,30}unut/u,
  /[.,;:]+$/,
  /a+b/,
  /(?:a|a)*b/,
  /(?:\w+\s?)+:/,
  /\((.*?)\)/g,
  /\s*,\s*/,
  /(?<=a\s*)b/,
];

const GOOD = [
  /^\s*a+b/,
  /(?<![.,;:])[.,;:]+$/,
  /\bkod\w+:/,
  /(?<!\p{L})kod\p{L}*:/u,
  /"[^"]{0,300}"/,
  /[A-Z]{16,}/g,
  /\((?:[^()]*)\)/,
  /kod\p{L}{0,8}:/u,
];

describe('The check of patterns', () => {
  for (const pattern of BAD) {
    it(`refuses ${pattern}`, () => {
      expect(superLinear({ source: pattern.source, flags: pattern.flags, at: '' })).to.not.be.empty;
    });
  }

  for (const pattern of GOOD) {
    it(`accepts ${pattern}`, () => {
      expect(superLinear({ source: pattern.source, flags: pattern.flags, at: '' })).to.deep.equal([]);
    });
  }
});
