const MINUTE = 60_000;

type Minute = { at: number; day: string; time: string };

/** What the clock on the wall shows at each minute, told by Intl alone. */
export function walkMinutes(timezone: string, from: Date, milliseconds: number): Minute[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const minutes: Minute[] = [];
  for (let at = from.getTime(); at < from.getTime() + milliseconds; at += MINUTE) {
    const [day = '', time = ''] = format.format(at).split(' ');
    minutes.push({ at, day, time });
  }
  return minutes;
}

/** For each day seen, the first minute at which the wall shows the time or has gone past it. */
export function runsOf(walk: Minute[], time: string): { at: string; day: string }[] {
  const [beginning] = walk;
  const days = [...new Set(walk.map(minute => minute.day))].sort();
  return days.flatMap(day => {
    const wanted = `${day} ${time}`;
    const first = walk.find(minute => `${minute.day} ${minute.time}` >= wanted);
    if (!first || !beginning || first.at <= beginning.at) return [];
    return [{ at: new Date(first.at).toISOString(), day }];
  });
}
