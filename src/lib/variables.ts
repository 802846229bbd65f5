import { z } from 'zod';

/** A setting, by the variable of the environment that holds it. */
type Setting = { variable: string; schema: z.ZodType };

export function setting<S extends z.ZodType>(variable: string, schema: S) {
  return { variable, schema };
}

/** The values of a tree of settings, under the same names. */
export type Values<T> = T extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : { [Name in keyof T]: Values<T[Name]> };

const isSetting = (node: object): node is Setting => 'variable' in node && 'schema' in node;

/** One object schema over all variables of a tree: its issues name them. */
export function variablesOf(tree: object) {
  const all = (node: object): [string, z.ZodType][] =>
    isSetting(node) ? [[node.variable, node.schema]] : Object.values(node).flatMap(all);
  return z.object(Object.fromEntries(all(tree)));
}

/** @param parsed what the schema of {@link variablesOf} answered */
export function valuesOf<T extends object>(tree: T, parsed: Record<string, unknown>): Values<T> {
  const read = (node: object): unknown =>
    isSetting(node)
      ? parsed[node.variable]
      : Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, read(inner)]));
  return read(tree) as Values<T>;
}
