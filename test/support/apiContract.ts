import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

export type Answer = {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  headers: OutgoingHttpHeaders | IncomingHttpHeaders;
  /** As text, not compressed; '' where nothing was sent. */
  body: string;
};

/** Returns how an answer differs from its description, without quoting it; undefined when it matches. */
export type Contract = (answer: Answer) => string | undefined;

const media = z.record(z.string(), z.object({ schema: z.looseObject({}) }));
const response = z.object({ headers: z.record(z.string(), z.looseObject({})).default({}), content: media.optional() });
const header = z.looseObject({ required: z.boolean().default(false) });
const described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.looseObject({})) }))),
});

/** The responses that any request can get before it is routed. */
const BEFORE_ROUTES = new Set([400, 401, 403, 404, 413, 415, 429]);
const NAME = 'description';

/** Reads answers against an OpenAPI document, given as the JSON that the service emits. */
export function createContract(text: string): Contract {
  const document: unknown = JSON.parse(text);
  const { paths } = described.parse(document);
  const schemas = schemasOf(document);
  const responses = once(pointer => schemas.find(pointer, response));
  const headers = once(pointer => schemas.find(pointer, header));

  function wrongWith(answer: Answer): string | undefined {
    // The framework answers those by its list of routes.
    if (answer.method === 'OPTIONS') return undefined;
    const path = placeOf(answer.path);
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const operation = paths[path]?.[method];
    if (!operation) return undescribed(answer);
    if (!(answer.status in operation.responses)) return 'this status is not described';
    const { at, found } = responses(`/paths/${escaped(path)}/${method}/responses/${answer.status}`);
    const wrongHeader = Object.keys(found.headers).find(name => !headerIsFine(answer, name, `${at}/headers/${name}`));
    if (wrongHeader) return `its header ${wrongHeader} is missing or wrong`;
    return wrongBody(answer, at, found.content);
  }

  /** The described address: itself, or one with a place for an id. */
  function placeOf(asked: string): string {
    const path = pathOf(asked);
    const fits = (one: string) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    return path in paths ? path : (Object.keys(paths).find(fits) ?? path);
  }

  function headerIsFine(answer: Answer, name: string, pointer: string): boolean {
    const { at, found } = headers(pointer);
    const value = answer.headers[name.toLowerCase()];
    return value === undefined ? !found.required : schemas.validator(`${at}/schema`)(String(value));
  }

  function wrongBody(answer: Answer, at: string, content: z.output<typeof media> | undefined): string | undefined {
    // The body of a redirect is not read.
    if (!content) return answer.body === '' || answer.status < 400 ? undefined : 'it has a body, and none is described';
    const type = typeOf(answer);
    if (!(type in content)) return `its type ${type || '(none)'} is not described`;
    if (type !== 'application/json' || answer.method === 'HEAD') return undefined;
    return invalid(schemas.validator(`${at}/content/${escaped(type)}/schema`), answer.body);
  }

  function undescribed(answer: Answer): string | undefined {
    if (!BEFORE_ROUTES.has(answer.status)) return 'there is no such endpoint in the description';
    if (answer.method === 'HEAD') return undefined;
    return invalid(schemas.validator('/components/schemas/Error'), answer.body);
  }

  return answer => {
    const wrong = wrongWith(answer);
    return wrong && `${answer.method} ${answer.path} answered ${answer.status}: ${wrong}`;
  };
}

function once<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return key => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}

/** Schemas of the document by their place in it, each compiled once. */
export function schemasOf(document: unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: NAME, ...z.looseObject({}).parse(document) });
  const validator = once(pointer => ajv.compile({ $ref: `${NAME}#${pointer}` }));

  /** Follows a reference, if there is one. */
  function find<S extends z.ZodType>(pointer: string, shape: S): { at: string; found: z.output<S> } {
    const value = pointer.split('/').slice(1).reduce(step, document);
    const reference = z.object({ $ref: z.string() }).safeParse(value).data?.$ref.slice(1);
    return reference ? find(reference, shape) : { at: pointer, found: shape.parse(value) };
  }

  return { validator, find };
}

function step(value: unknown, name: string): unknown {
  return z.looseObject({}).parse(value)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
}

/** As a part of a place in a document. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** As the router compares addresses: without regard to case, or to a slash at the end. */
function pathOf(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}

function typeOf({ headers }: Answer): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? '';
}

function invalid(validate: ValidateFunction, body: string): string | undefined {
  const parsed = parse(body);
  if (!parsed) return 'its body is no JSON';
  return validate(parsed.json) ? undefined : `its body ${[...new Set(validate.errors?.map(words))].join(', ')}`;
}

function parse(body: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** Returns the wrong places and why, with names of fields and no values. */
function words({ instancePath, message, params }: ErrorObject): string {
  const field = params.additionalProperty ? ` (${params.additionalProperty})` : '';
  return `${instancePath} ${message}${field}`;
}
