import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { unknownLanguage } from './other.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import { russian } from './ru.ts';
import { turkish } from './tr.ts';
import type { LanguagePack } from './types.ts';
import { ukrainian } from './uk.ts';

/** The languages the summariser knows its way in. */
export const PACKS: LanguagePack[] = [
  english,
  german,
  spanish,
  french,
  portuguese,
  russian,
  ukrainian,
  polish,
  turkish,
];

const BY_CODE = new Map(PACKS.map(pack => [pack.code, pack]));

/** What is known of a language (ISO 639-1): its own cues, or only its stop words and what all languages share. */
export function packOf(language: string): LanguagePack {
  const known = BY_CODE.get(language) ?? unknownLanguage(language);
  BY_CODE.set(language, known);
  return known;
}
