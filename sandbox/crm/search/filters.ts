import type { Property } from '../records.ts';
import type { Indexed } from './searchIndex.ts';
import type { Filter } from './searchRequest.ts';
import { tokenMatcher } from './tokens.ts';

export type Matcher = (indexed: Indexed) => boolean;

/** A record matches when one group has all its filters match; without groups every record matches. */
export function groupsMatcher(groups: Filter[][], properties: ReadonlyMap<string, Property>): Matcher {
  const matchers = groups.map(group => group.map(filter => filterMatcher(filter, properties.get(filter.propertyName))));
  return indexed => matchers.length === 0 || matchers.some(group => group.every(matches => matches(indexed)));
}

/** A record without a value is matched only by NOT_HAS_PROPERTY, as at the vendor. */
function filterMatcher(filter: Filter, property: Property | undefined): Matcher {
  const name = filter.propertyName;
  if (filter.operator === 'HAS_PROPERTY') return indexed => indexed.value(name) !== undefined;
  if (filter.operator === 'NOT_HAS_PROPERTY') return indexed => indexed.value(name) === undefined;
  if (filter.operator.endsWith('CONTAINS_TOKEN')) return tokenFilter(filter);
  const matches = valueMatcher(filter, property);
  return indexed => {
    const value = indexed.value(name);
    return value !== undefined && matches(value);
  };
}

function tokenFilter({ operator, propertyName, value = '' }: Filter): Matcher {
  const matches = tokenMatcher(value);
  const isWanted = operator === 'CONTAINS_TOKEN';
  return indexed => indexed.value(propertyName) !== undefined && matches(indexed.tokens(propertyName)) === isWanted;
}

function valueMatcher(filter: Filter, property: Property | undefined): (value: string) => boolean {
  const { operator, value = '', highValue = '' } = filter;
  const order = orderOf(property);
  // Compared as they are: the vendor never finds a value with a capital letter for these two.
  const values = new Set(filter.values);
  switch (operator) {
    case 'EQ':
      return own => order(own) === order(value.toLowerCase());
    case 'NEQ':
      return own => order(own) !== order(value.toLowerCase());
    case 'IN':
      return own => values.has(own);
    case 'NOT_IN':
      return own => !values.has(own);
    case 'LT':
      return own => order(own) < order(value);
    case 'LTE':
      return own => order(own) <= order(value);
    case 'GT':
      return own => order(own) > order(value);
    case 'GTE':
      return own => order(own) >= order(value);
    case 'BETWEEN':
      return own => order(own) >= order(value) && order(own) <= order(highValue);
    default:
      return () => false;
  }
}

/** Returns what two values of a property are compared by. */
export function orderOf(property: Property | undefined): (value: string) => string | number {
  if (property?.type === 'number') return Number;
  if (property?.type !== 'datetime' && property?.type !== 'date') return value => value;
  return value => (/^\d+$/.test(value) ? Number(value) : Date.parse(value));
}
