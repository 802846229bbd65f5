import { LANGUAGES } from '../../../clients/summarizer/languages/types.ts';
import { SUMMARY_STYLES, type SummaryStyle } from '../../../clients/summarizer/types.ts';
import { formatQuantity, formatTimeOfDay } from '../../../lib/words.ts';
import { settingsInput, WAITING_DAYS } from './schema.ts';

/** Names of the styles, each with the same sample digest by a model. */
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

const TENDER = ['Farid: They need the signed data agreement by Monday, or they open a new tender'];
const CALL = [
  'Farid: €18,400 a year is fine with us. Can we have a kick-off call next week?',
  '↳ You: Yes, Tuesday at 10 works',
];
const COLD = ['Farid: Do the tags also work at -30?', '↳ You: Down to -40, yes'];
const CONTACT = ['Farid: Who will be our contact during the rollout?', '↳ You: Tim, from the first day'];
/** Sample of each style by the built-in summarizer. */
const QUOTES: Record<SummaryStyle, string[]> = {
  BUSINESS: [TENDER, CALL, COLD].flat(),
  DETAILED: [TENDER, CALL, CONTACT, COLD].flat(),
  MINIMAL: [TENDER, CALL].flat(),
};

export function styleName(style: SummaryStyle): string {
  return STYLES[style].label;
}

/** The styles as the form offers them, each with a sample line by line. */
export function presentStyles(chosen: string, { hasModel }: { hasModel: boolean }) {
  return SUMMARY_STYLES.map((value, index) => ({
    label: STYLES[value].label,
    sample: hasModel ? [`“${STYLES[value].sample}”`] : QUOTES[value],
    value,
    isChosen: value === chosen,
    isFirst: index === 0,
  }));
}

/** Options for the delay before unanswered questions are shown. */
export function presentWaitingDays(chosen: string | undefined) {
  return WAITING_DAYS.map(days => ({
    value: days,
    label: formatQuantity(days, 'working day', 'working days'),
    isChosen: String(days) === chosen,
  }));
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
const NAMED = LANGUAGES.map(value => ({ value, label: LANGUAGE_NAMES.of(value) ?? value })).toSorted((a, b) =>
  a.label.localeCompare(b.label, 'en'),
);

/** Options for the language in which a model writes. */
export function presentLanguages(chosen: string | undefined) {
  const all = [{ value: '', label: 'Each conversation’s language' }, ...NAMED];
  return all.map(language => ({ ...language, isChosen: language.value === (chosen ?? '') }));
}

type Zone = { name: string; label: string };

const KNOWN = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
const BY_REGION = Map.groupBy([...KNOWN].map(toZone), ({ name }) => regionOf(name));

/** Every time zone this Node knows, by region; the chosen one says what time it is there. */
export function zonesWith(chosen: string, now: Date): ReadonlyMap<string, readonly Zone[]> {
  const isAnother = !KNOWN.has(chosen) && settingsInput.shape.timezone.safeParse(chosen).success;
  if (!isAnother && !KNOWN.has(chosen)) return BY_REGION;
  const region = regionOf(chosen);
  const others = BY_REGION.get(region) ?? [];
  const all = isAnother ? [...others, toZone(chosen)] : others;
  const label = `${chosen} (now ${formatTimeOfDay(now, chosen)})`;
  return new Map(BY_REGION).set(
    region,
    all.map(zone => (zone.name === chosen ? { ...zone, label } : zone)),
  );
}

function toZone(name: string): Zone {
  return { name, label: name };
}

function regionOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other';
}
