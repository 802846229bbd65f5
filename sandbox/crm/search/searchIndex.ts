import { type CrmRecord, type ObjectType, propertyOf } from '../records.ts';
import { tokensOf } from './tokens.ts';

/** A record as searches see it, with its values prepared for comparing. */
export type Indexed = {
  record: CrmRecord;
  /** Lower case; undefined when there is no value. */
  value(property: string): string | undefined;
  tokens(property: string): string[];
};

export type SearchIndex = {
  /** @param visibleAt Unix milliseconds */
  put(record: CrmRecord, visibleAt: number): void;
  /** Returns the records as of this moment, without archived ones. */
  all(type: ObjectType, now: number): Iterable<Indexed>;
};

/** An index that lags behind the records, as the vendor's search does. */
export function createSearchIndex(): SearchIndex {
  const shown = new Map<ObjectType, Map<string, Indexed>>();
  let waiting: { record: CrmRecord; visibleAt: number }[] = [];

  function show(record: CrmRecord): void {
    const ofType = shown.get(record.type) ?? new Map<string, Indexed>();
    shown.set(record.type, ofType);
    if (record.archivedAt === null) ofType.set(record.id, indexed(record));
    else ofType.delete(record.id);
  }

  return {
    put(record, visibleAt) {
      if (visibleAt === 0) show(record);
      else waiting.push({ record, visibleAt });
    },
    all(type, now) {
      const due = waiting.filter(({ visibleAt }) => visibleAt <= now);
      if (due.length > 0) waiting = waiting.filter(({ visibleAt }) => visibleAt > now);
      for (const { record } of due) show(record);
      return shown.get(type)?.values() ?? [];
    },
  };
}

function indexed(record: CrmRecord): Indexed {
  const values = new Map<string, string | undefined>();
  const tokens = new Map<string, string[]>();
  const value = (property: string) => {
    if (!values.has(property)) values.set(property, propertyOf(record, property)?.toLowerCase());
    return values.get(property);
  };
  return {
    record,
    value,
    tokens(property) {
      const known = tokens.get(property) ?? tokensOf(visibleText(value(property) ?? ''));
      tokens.set(property, known);
      return known;
    },
  };
}

function visibleText(value: string): string {
  return value.replace(/<[^<>]*>/g, ' ');
}
