import type { oas32 } from 'zod-openapi';

type Schema = oas32.SchemaObject | oas32.ReferenceObject;
type Components = Record<string, Schema>;

/** One field of a body, as a row of a table. */
export type FieldRow = {
  /** With its path: `result.errors[].code`. */
  name: string;
  /** In words: "one of a, b", "whole number or null". */
  kind: string;
  isRequired: boolean;
  about: string;
};

/** All fields of a schema, nested ones after the field they are in. Alternatives follow one another. */
export function fieldRows(schema: Schema | undefined, components: Components, path = ''): FieldRow[] {
  const { items, anyOf, properties = {}, required = [] } = resolved(schema, components);
  if (items) return fieldRows(items, components, `${path}[]`);
  const inside = Object.entries(properties).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    const row = { name: at, ...describe(field, components), isRequired: required.includes(name) };
    return [row, ...fieldRows(field, components, at)];
  });
  const alternatives = (anyOf ?? []).flatMap(alternative => fieldRows(alternative, components, path));
  return [...inside, ...alternatives.filter(row => inside.every(({ name }) => name !== row.name))];
}

function describe(field: Schema, components: Components) {
  const schema = resolved(field, components);
  return { kind: kindOf(schema, components), about: schema.description ?? '' };
}

export function kindOf(given: Schema, components: Components): string {
  const schema = resolved(given, components);
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.anyOf) return schema.anyOf.map(one => kindOf(one, components)).join(' or ');
  if (schema.items) return `list of ${manyOf(schema.items, components)}${atMost(schema.maxItems)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'object'];
  return types.map(type => `${WORDS[type] ?? type}${boundsOf(schema, type)}`).join(' or ');
}

const WORDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function manyOf(items: Schema, components: Components): string {
  const { type } = resolved(items, components);
  return type === 'string' ? 'texts' : `${typeof type === 'string' ? type : 'value'}s`;
}

function atMost(count: number | undefined): string {
  return count === undefined ? '' : `, at most ${count}`;
}

function boundsOf({ format, maxLength, minimum, maximum }: oas32.SchemaObjectValue, type: string): string {
  if (type === 'string')
    return format === 'date-time' ? ', ISO 8601 in UTC' : maxLength ? `, at most ${maxLength}` : '';
  if (type !== 'integer' && type !== 'number') return '';
  return minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
}

function resolved(schema: Schema | undefined, components: Components): oas32.SchemaObjectValue {
  if (schema === undefined || typeof schema === 'boolean') return {};
  const { $ref } = schema;
  return $ref === undefined ? (schema as oas32.SchemaObjectValue) : resolved(components[nameIn($ref)], components);
}

/** What a reference within the document points at. */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
