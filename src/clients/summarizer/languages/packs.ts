import { english } from './en.ts';
import type { LanguagePack } from './types.ts';

export const PACKS: Record<string, LanguagePack> = { en: english };

export function packOf(language: string): LanguagePack {
  return PACKS[language] ?? english;
}
