import { clockTime } from '../../../lib/words.ts';
import { settingsInput } from './schema.ts';

type Zone = { name: string; label: string };

const KNOWN = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
const BY_REGION = Map.groupBy([...KNOWN].map(plain), ({ name }) => regionOf(name));

/** Every time zone this Node knows, by region; the chosen one says what time it is there. */
export function zonesWith(chosen: string, now: Date): ReadonlyMap<string, readonly Zone[]> {
  const isAnother = !KNOWN.has(chosen) && settingsInput.shape.timezone.safeParse(chosen).success;
  if (!isAnother && !KNOWN.has(chosen)) return BY_REGION;
  const region = regionOf(chosen);
  const others = BY_REGION.get(region) ?? [];
  const all = isAnother ? [...others, plain(chosen)] : others;
  const label = `${chosen} (now ${clockTime(now, chosen)})`;
  return new Map(BY_REGION).set(
    region,
    all.map(zone => (zone.name === chosen ? { ...zone, label } : zone)),
  );
}

function plain(name: string): Zone {
  return { name, label: name };
}

function regionOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other';
}
