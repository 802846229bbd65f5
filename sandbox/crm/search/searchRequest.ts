import { z } from 'zod';
import { invalid } from '../refusals.ts';

/** https://developers.hubspot.com/docs/api-reference/search/guide */
const LIMITS = { bodyCharacters: 3000, groups: 5, filtersInGroup: 6, filters: 18, page: 200, results: 10_000 };

const OPERATORS = [
  'EQ',
  'NEQ',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
] as const;

const value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const filter = z.object({
  propertyName: z.string().min(1),
  operator: z.enum(OPERATORS),
  value: value.optional(),
  values: z.array(value).optional(),
  highValue: value.optional(),
});
export type Filter = z.output<typeof filter>;

const sort = z.union([
  z.string().transform(text => ({ propertyName: text.replace(/^-/, ''), isDescending: text.startsWith('-') })),
  z
    .object({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING') })
    .transform(({ propertyName, direction }) => ({ propertyName, isDescending: direction === 'DESCENDING' })),
]);
export type Sort = z.output<typeof sort>;

const searchRequest = z.object({
  filterGroups: z.array(z.object({ filters: z.array(filter) })).default([]),
  filters: z.array(filter).optional(),
  query: z.string().optional(),
  sorts: z.array(sort).max(1).default([]),
  properties: z.array(z.string()).optional(),
  limit: z.coerce.number().int().min(0).default(10),
  after: z
    .union([z.string(), z.number()])
    .optional()
    .transform(after => Number(after ?? 0))
    .pipe(z.number().int().min(0)),
});

export type SearchRequest = Omit<z.output<typeof searchRequest>, 'filterGroups' | 'filters'> & { groups: Filter[][] };

/** Throws a Refusal for what the vendor rejects. */
export function readSearchRequest(body: unknown, characters: number): SearchRequest {
  if (characters > LIMITS.bodyCharacters) {
    throw invalid(`The request body must not be longer than ${LIMITS.bodyCharacters} characters.`);
  }
  const { data, error } = searchRequest.safeParse(body ?? {});
  if (!data) throw invalid(`Invalid input JSON: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  const { filterGroups, filters, ...rest } = data;
  const groups = [...filterGroups.map(group => group.filters), ...(filters ? [filters] : [])];
  requireWithinLimits(groups, rest);
  for (const each of groups.flat()) requireValue(each);
  return { ...rest, groups };
}

function requireWithinLimits(groups: Filter[][], { limit, after }: { limit: number; after: number }): void {
  if (groups.length > LIMITS.groups) throw invalid(`Too many filterGroups: the maximum is ${LIMITS.groups}.`);
  const isTooMany = groups.some(group => group.length > LIMITS.filtersInGroup) || groups.flat().length > LIMITS.filters;
  if (isTooMany)
    throw invalid(`Too many filters: the maximum is ${LIMITS.filtersInGroup} in a group, ${LIMITS.filters} in all.`);
  if (limit > LIMITS.page) throw invalid(`Invalid limit ${limit}: the maximum is ${LIMITS.page}.`);
  if (after + limit > LIMITS.results) throw invalid(`Paging beyond ${LIMITS.results} results is not possible.`);
}

function requireValue({ operator, propertyName, value: single, values, highValue }: Filter): void {
  const needsList = operator === 'IN' || operator === 'NOT_IN';
  const needsNothing = operator === 'HAS_PROPERTY' || operator === 'NOT_HAS_PROPERTY';
  const isMissing = needsList ? !values?.length : !needsNothing && single === undefined;
  if (isMissing || (operator === 'BETWEEN' && highValue === undefined)) {
    throw invalid(`The filter on ${propertyName} with operator ${operator} lacks its value.`);
  }
}
