import definitions from 'telegram/tl/generated/api-definitions.js';

type Field = { isVector: boolean };
type Definition = { argsConfig: Record<string, Field> };

/** The fields that hold lists, in the library's own records. Collected before the library has read anything. */
const lists = (definitions satisfies Definition[])
  .flatMap((definition: Definition) => Object.values(definition.argsConfig))
  .filter(field => field.isVector);

/**
 * While the library reads a list it marks the field as a single value, for every connection of the process, and leaves
 * it that way when an element cannot be read: lists of numbers in that field are then misread without an error. Call
 * this after any answer that could not be read.
 */
export function repairSchema(): void {
  for (const field of lists) field.isVector = true;
}
