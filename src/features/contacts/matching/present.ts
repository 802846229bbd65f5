import { numberWord } from '../../../lib/words.ts';
import type { MatchStatus } from '../../messenger/dialogs/schema.ts';
import { findNamesakes } from './rules.ts';
import type { MatchRule, MatchState } from './schema.ts';

/** How a match is shown in lists: an icon, words and, if a rule found it, how sure it is. */
type MatchBadge = { icon: string; tone: string; words: string; number: string };

const BADGES: Record<MatchStatus, { icon: string; words: string; tone: string }> = {
  UNMATCHED: { icon: 'nolink', words: 'No match', tone: 'is-mute' },
  AUTO_PHONE: { icon: 'phone', words: 'Same phone', tone: '' },
  AUTO_USERNAME: { icon: 'at', words: 'Same username', tone: '' },
  AUTO_NAME: { icon: 'guess', words: 'Similar name', tone: '' },
  CONFIRMED: { icon: 'okc', words: 'Confirmed', tone: 'is-ok' },
  CREATED: { icon: 'plusc', words: 'Created', tone: 'is-ok' },
  IGNORED: { icon: 'ban', words: 'Ignored', tone: 'is-mute' },
};

const MIN_LIKELY_CONFIDENCE = 0.7;
const MIN_STRONG_CONFIDENCE = 0.9;

/** The badge of a match; if several contacts have its name, it says how many. */
export function matchBadge(state: MatchState): MatchBadge {
  const { length } = findNamesakes(state);
  return length > 0 ? { icon: 'guess', tone: 'is-warn', words: namesakeWords(length), number: '' } : presentBadge(state);
}

/** `Two contacts of this name` */
export const namesakeWords = (count: number): string => `${numberWord(count)} contacts of this name`;

export function presentBadge(match: { status: MatchStatus; confidence: number; rule: MatchRule | null }): MatchBadge {
  const { icon, words, tone } = BADGES[match.status];
  const isAutomatic = match.status.startsWith('AUTO_');
  return {
    icon,
    tone: isAutomatic && match.confidence < MIN_LIKELY_CONFIDENCE ? 'is-warn' : tone,
    words: match.rule === 'messengerId' && isAutomatic ? 'Same Telegram account' : words,
    number: isAutomatic ? match.confidence.toFixed(2) : '',
  };
}

export function confidenceWord(confidence: number): string {
  if (confidence >= MIN_STRONG_CONFIDENCE) return 'Strong';
  return confidence >= MIN_LIKELY_CONFIDENCE ? 'Likely' : 'Weak';
}
