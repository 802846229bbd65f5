/** Making one costs far more than using it. There are some 600 zone names, in a few spellings each. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** True for IANA zone names this Node knows. Offsets such as `+01:00`, which Intl takes too, are no zone names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    dayFormatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The calendar day at `moment` in `timezone`, as YYYY-MM-DD. Throws RangeError for a zone there is not. */
export function localDay(moment: Date, timezone: string): string {
  return dayFormatOf(timezone).format(moment);
}

function dayFormatOf(timezone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(timezone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...parts });
  dayFormats.set(timezone, made);
  return made;
}
