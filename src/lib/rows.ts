import { z } from 'zod';
import { oncePer } from './once.ts';

/*
 * Rows are in snake_case, values in camelCase. A schema names the properties of a value once: its type, the check of each
 * row and the names of the columns come from there, so that no column is forgotten on the way.
 */

/** `last_message_at` is `lastMessageAt`. */
export const toCamelCase = oncePer((column: string) =>
  column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
);

/** `lastMessageAt` is `last_message_at`. */
export function toSnakeCase(property: string): string {
  return property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

export type RowReader<T> = {
  /** Throws ZodError. */
  parse(row: unknown): T;
  /** The columns for these properties, under the names they are read by. */
  columns(value: object): Record<string, unknown>;
};

/**
 * Reads rows by a schema of the values they become; columns it does not name are left out.
 * @param renamed columns to properties, where their names differ; wins over a column that has the property's name
 */
export function rowReader<S extends z.ZodType>(
  schema: S,
  renamed: Record<string, string> = {},
): RowReader<z.output<S>> {
  const compiled = z.compile(schema);
  const columnOf = Object.fromEntries(Object.entries(renamed).map(([column, property]) => [property, column]));
  return {
    columns: value => toColumns(value, columnOf),
    parse(row) {
      const value: Record<string, unknown> = {};
      const columns: [string, unknown][] = Object.entries(Object(row));
      for (const [column, content] of columns) value[toCamelCase(column)] = content;
      for (const [column, content] of columns) if (renamed[column]) value[renamed[column]] = content;
      return compiled.parse(value);
    },
  };
}

/**
 * The columns of a row for these properties; those that are undefined are left out.
 * @param columnOf properties to columns, where their names differ
 */
export function toColumns(value: object, columnOf: Record<string, string> = {}): Record<string, unknown> {
  const given = Object.entries(value).filter(([, content]) => content !== undefined);
  return Object.fromEntries(given.map(([property, content]) => [columnOf[property] ?? toSnakeCase(property), content]));
}

/** Postgres stores no NUL and no half character; what the messenger, the CRM or a model says may hold one. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  );
}
