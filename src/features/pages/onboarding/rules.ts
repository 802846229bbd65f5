import { zoneOfLanguage } from '../../../lib/timezones.ts';
import { DEFAULT_SCHEDULE } from '../../base/settings/schema.ts';

type Time = { syncTime: string; timezone: string };

/** Before most people's work begins. */
const MORNING = '07:00';

/**
 * What the last step proposes, which counts once the person submits it: their own time, or the morning as long as they
 * chose none. `isGuess` where the browser may know the zone better.
 * @param language of the browser, a BCP 47 tag
 */
export function proposeTime(saved: Time, { language, now }: { language: string; now: Date }) {
  const { syncTime, timezone } = saved;
  const hasChosen = syncTime !== DEFAULT_SCHEDULE.syncTime || timezone !== DEFAULT_SCHEDULE.timezone;
  if (hasChosen) return { syncTime, timezone, isGuess: false };
  return { syncTime: MORNING, timezone: zoneOfLanguage(language, now) ?? DEFAULT_SCHEDULE.timezone, isGuess: true };
}
