import { clockTime } from '../../lib/words.ts';
import { settingsInput } from './schema.ts';

const KNOWN = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Every time zone this Node knows, by region; the chosen one says what time it is there. */
export function zonesWith(chosen: string, now: Date) {
  const names = new Set(KNOWN);
  const isKnown = names.has(chosen) || settingsInput.shape.timezone.safeParse(chosen).success;
  if (isKnown && chosen) names.add(chosen);
  const zones = [...names].map(name => ({
    name,
    region: name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other',
    label: name === chosen ? `${name} (now ${clockTime(now, name)})` : name,
  }));
  return Map.groupBy(zones, zone => zone.region);
}
