import { SUMMARY_STYLES, type SummaryStyle } from '../../clients/summarizer/types.ts';
import { countOf } from '../../lib/words.ts';
import { WAITING_DAYS } from './schema.ts';

/** What each style is called, and the same digest in it. */
const STYLES: Record<SummaryStyle, { label: string; sample: string }> = {
  BUSINESS: {
    label: 'Business',
    sample: 'Procurement moved the deadline to Monday. He accepts €18,400 a year and needs the signed data agreement.',
  },
  DETAILED: {
    label: 'Detailed',
    sample:
      'Procurement moved the deadline up to Monday and opens a new tender without the signed data agreement. Farid accepts €18,400 a year, asked twice for the signed copy and wants a kick-off call next week.',
  },
  MINIMAL: { label: 'Short', sample: 'Needs the signed data agreement by Monday. Price agreed.' },
};

export function styleName(style: SummaryStyle): string {
  return STYLES[style].label;
}

/** The styles as the form offers them. */
export function presentStyles(chosen: string) {
  return SUMMARY_STYLES.map((value, index) => ({
    ...STYLES[value],
    value,
    isChosen: value === chosen,
    isFirst: index === 0,
  }));
}

/** After how long an unanswered question is shown, as the form offers it. */
export function presentWaits(chosen: string | undefined) {
  return WAITING_DAYS.map(days => ({
    value: days,
    label: countOf(days, 'working day', 'working days'),
    isChosen: String(days) === chosen,
  }));
}
