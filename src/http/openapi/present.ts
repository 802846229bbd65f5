import type { oas32 } from 'zod-openapi';

export type ApiDescription = oas32.OpenAPIObject;

/** A text in which names from the code are marked. */
type Words = { text: string; isCode: boolean }[];

type BodyDescription = { type: string; rows: FieldRow[]; example: string };

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** The description as its page shows it, group by group. */
export function presentDescription(description: ApiDescription) {
  const all = operationsOf(description);
  const groups = (description.tags ?? []).map(({ name, description: about = '' }) => {
    const operations = all.filter(({ tags }) => tags.includes(name)).map(({ shown }) => shown);
    return { id: name.toLowerCase().replaceAll(' ', '-'), name, about, operations };
  });
  const errorRows = fieldRows(description.components?.schemas?.Error, description.components?.schemas ?? {});
  return { title: description.info.title, about: description.info.description ?? '', groups, errorRows };
}

function operationsOf(description: ApiDescription) {
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method];
      if (!operation) return [];
      return [{ tags: operation.tags ?? [], shown: presentOperation(description, { path, method, operation }) }];
    }),
  );
}

type Described = { path: string; method: string; operation: oas32.OperationObject };

function presentOperation(description: ApiDescription, { path, method, operation }: Described) {
  const components = description.components?.schemas ?? {};
  const answers = Object.entries(operation.responses ?? {}).map(([status, response]) => ({
    status,
    response: responseOf(description, response),
  }));
  const isDone = ({ status }: { status: string }) => Number(status) < 400;
  const done = answers.find(isDone);
  const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  return {
    id: operation.operationId ?? '',
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    about: splitCode(operation.description ?? ''),
    opens: describeAccess(operation.security ?? description.security ?? []),
    parameters: (operation.parameters ?? []).flatMap(parameter => parameterRow(parameter, components)),
    body: body && describeBody(body.content, components),
    answer: {
      status: done?.status ?? '',
      about: splitCode(done?.response.description ?? ''),
      ...describeBody(done?.response.content, components),
    },
    refusals: answers
      .filter(answer => !isDone(answer))
      .map(({ status, response }) => ({ status, about: splitCode(response.description ?? '') })),
  };
}

function responseOf(
  { components }: ApiDescription,
  response: oas32.ResponseObject | oas32.ReferenceObject,
): oas32.ResponseObject {
  const found = '$ref' in response ? components?.responses?.[schemaName(response.$ref)] : response;
  return (found ?? {}) as oas32.ResponseObject;
}

function parameterRow(parameter: oas32.ParameterObject | oas32.ReferenceObject, components: Components): FieldRow[] {
  if (!('name' in parameter)) return [];
  const { name, required = false, schema = {}, description = '' } = parameter;
  return [{ name, kind: describeType(schema, components), isRequired: required, about: description }];
}

function describeBody(content: oas32.ContentObject | undefined, components: Components): BodyDescription {
  const [type = '', media] = Object.entries(content ?? {})[0] ?? [];
  const example = media && 'example' in media ? media.example : undefined;
  const rows = media && 'schema' in media ? fieldRows(media.schema, components) : [];
  return { type, rows, example: example === undefined ? '' : formatExample(example, type) };
}

function formatExample(example: object, type: string): string {
  if (type === 'application/json') return JSON.stringify(example, null, 2);
  return new URLSearchParams(Object.entries(example)).toString();
}

const ACCESS_WORDS: Record<string, string> = {
  session: 'Needs a session.',
  adminKey: 'Needs the operator’s key: as `key` in the query, or as a bearer token.',
  paymentSignature: 'Needs the payment provider’s signature.',
  crmSignature: 'Needs the CRM’s signature, when a secret is configured.',
};

function describeAccess(security: oas32.SecurityRequirementObject[]): string {
  const [first] = security.flatMap(requirement => Object.keys(requirement));
  if (first === undefined) return 'Open to everyone.';
  const scope = security.find(({ token }) => token)?.token?.[0];
  return scope ? `Needs a session, or a token that has the scope “${scope}”.` : (ACCESS_WORDS[first] ?? '');
}

/** Splits a text at its backticks into plain parts and names from the code. */
function splitCode(text: string): Words {
  const parts = text.split('`').map((part, index) => ({ text: part, isCode: index % 2 === 1 }));
  return parts.filter(({ text: part }) => part !== '');
}

type Schema = oas32.SchemaObject | oas32.ReferenceObject;
type Components = Record<string, Schema>;

type FieldRow = {
  /** Path: `result.errors[].code`. */
  name: string;
  /** Type in words: "one of a, b", "whole number or null". */
  kind: string;
  isRequired: boolean;
  about: string;
};

/** All fields of a schema, nested ones after the field they are in. Alternatives follow one another. */
function fieldRows(schema: Schema | undefined, components: Components, path = ''): FieldRow[] {
  const { items, anyOf, properties = {}, required = [] } = resolveSchema(schema, components);
  if (items) return fieldRows(items, components, `${path}[]`);
  const inside = Object.entries(properties).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    const row = { name: at, ...describeField(field, components), isRequired: required.includes(name) };
    return [row, ...fieldRows(field, components, at)];
  });
  const alternatives = (anyOf ?? []).flatMap(alternative => fieldRows(alternative, components, path));
  return [...inside, ...alternatives.filter(row => inside.every(({ name }) => name !== row.name))];
}

function describeField(field: Schema, components: Components) {
  const schema = resolveSchema(field, components);
  return { kind: describeType(schema, components), about: schema.description ?? '' };
}

function describeType(source: Schema, components: Components): string {
  const schema = resolveSchema(source, components);
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.anyOf) return schema.anyOf.map(one => describeType(one, components)).join(' or ');
  if (schema.items) return `list of ${pluralizeType(schema.items, components)}${describeLimit(schema.maxItems)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'object'];
  return types.map(type => `${TYPE_NAMES[type] ?? type}${boundsOf(schema, type)}`).join(' or ');
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function pluralizeType(items: Schema, components: Components): string {
  const { type } = resolveSchema(items, components);
  return type === 'string' ? 'texts' : `${typeof type === 'string' ? type : 'value'}s`;
}

const describeLimit = (count: number | undefined): string => (count === undefined ? '' : `, at most ${count}`);

function boundsOf({ format, maxLength, minimum, maximum }: oas32.SchemaObjectValue, type: string): string {
  if (type === 'string' && format === 'date-time') return ', ISO 8601 in UTC';
  if (type === 'string') return maxLength ? `, at most ${maxLength}` : '';
  if (type !== 'integer' && type !== 'number') return '';
  return minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
}

function resolveSchema(schema: Schema | undefined, components: Components): oas32.SchemaObjectValue {
  if (schema === undefined || typeof schema === 'boolean') return {};
  const { $ref } = schema;
  return $ref === undefined ? (schema as oas32.SchemaObjectValue) : resolveSchema(components[schemaName($ref)], components);
}

/** The name that a reference within the document points at. */
const schemaName = (reference: string): string => reference.split('/').at(-1) ?? '';
