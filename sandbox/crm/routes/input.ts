import { z } from 'zod';
import { invalid } from '../refusals.ts';

const MAX_IN_BATCH = 100;

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const empty = z.null().transform(() => '');
export const id = z.union([z.string(), z.number()]).transform(String);
export const propertyValues = z.record(z.string(), z.union([text, empty]));

const association = z.object({
  to: z.object({ id }),
  types: z.array(z.object({ associationCategory: z.string(), associationTypeId: z.coerce.number() })).min(1),
});

export const creation = z.object({
  properties: propertyValues,
  associations: z
    .array(association)
    .nullish()
    .transform(given => given ?? []),
  objectWriteTraceId: z.string().nullish(),
});
export type Creation = z.output<typeof creation>;

export const change = z.object({
  id,
  idProperty: z.string().nullish(),
  properties: propertyValues,
  objectWriteTraceId: z.string().nullish(),
});
export type Change = z.output<typeof change>;

/** Throws a Refusal that names the first field that is wrong. */
export function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body);
  if (error) throw invalid(`Invalid input JSON: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  return data as z.output<S>;
}

/** The inputs of a batch, as many as the vendor takes at once. Throws a Refusal. */
export function readInputs<S extends z.ZodType>(schema: S, body: unknown, most = MAX_IN_BATCH): z.output<S>[] {
  const { inputs } = read(z.object({ inputs: z.array(schema) }), body);
  if (inputs.length === 0) throw invalid('The batch holds no inputs.');
  if (inputs.length > most) throw invalid(`The maximum number of inputs supported in a batch is ${most}`);
  return inputs as z.output<S>[];
}
