/** True for IANA zone names this Node knows. Offsets such as `+01:00`, which Intl takes too, are no zone names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The calendar day at `moment` in `timezone`, as YYYY-MM-DD. */
export function localDay(moment: Date, timezone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(moment);
}
