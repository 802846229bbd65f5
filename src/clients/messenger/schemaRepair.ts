import definitions from 'telegram/tl/generated/api-definitions.js';

type Field = { isVector: boolean };
type Definition = { argsConfig: Record<string, Field> };

/** The fields that hold lists, as the library itself keeps them. Taken before it has read anything. */
const lists = (definitions satisfies Definition[])
  .flatMap((definition: Definition) => Object.values(definition.argsConfig))
  .filter(field => field.isVector);

/**
 * While the library reads a list it marks the field as a single value, for every connection of the process, and leaves it
 * so when an element cannot be read: lists of numbers in that field are then read wrong without an error. To be called
 * after any answer that could not be read.
 */
export function repairSchema(): void {
  for (const field of lists) field.isVector = true;
}
