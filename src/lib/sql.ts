import type { Knex } from 'knex';
import type { Db, RowReader } from './db.ts';

/** What a statement binds; an array is one of the database's. */
type Value = string | boolean | Date | null | readonly string[];

/** A piece of SQL together with the values that it binds: no statement that it is put into can forget one. */
export class Sql {
  /** The text before, between and after the values. */
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[] = []) {
    this.texts = texts;
    this.values = values;
  }

  /** For plain text around a piece without values. Throws for another one. */
  toString(): string {
    if (this.values.length > 0) throw new Error('a piece of SQL with values belongs into sql`…`');
    return this.texts.join('');
  }

  /** For the query builder. */
  toRaw<Row>(db: Db): Knex.Raw<{ rows: Row[] }> {
    const text = this.texts.map(part => part.replaceAll('?', '\\?')).join('?');
    return db.raw<{ rows: Row[] }>(text, this.values as Knex.RawBinding[]);
  }

  /** Runs the statement. @param name of one whose text is always the same: each connection prepares it once */
  async rows<Row>(db: Db, name?: string): Promise<Row[]> {
    const raw = this.toRaw<Row>(db);
    const { rows } = await (name === undefined ? raw : raw.options({ name }));
    return rows;
  }

  /** Runs the statement and reads its rows. */
  async read<T>(db: Db, reader: RowReader<T>): Promise<T[]> {
    return (await this.rows(db)).map(row => reader.parse(row));
  }
}

/** Composes SQL: other pieces and numbers become part of the text, any other value is bound. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | Value | number)[]): Sql {
  const all = [texts[0] ?? ''];
  const values: Value[] = [];
  const append = (text: string) => all.push(`${all.pop()}${text}`);
  for (const [at, part] of parts.entries()) {
    if (part instanceof Sql) {
      const [first = '', ...rest] = part.texts;
      append(first);
      all.push(...rest);
      values.push(...part.values);
    } else if (typeof part === 'number') {
      // Without brackets, a minus before it would begin a comment.
      append(part < 0 ? `(${part})` : String(part));
    } else {
      all.push('');
      values.push(part);
    }
    append(texts[at + 1] ?? '');
  }
  return new Sql(all, values);
}

/** Text of the program's own, such as the name of a column; never a value. */
export const rawSql = (text: string): Sql => new Sql([text]);

export const NO_SQL = rawSql('');

export function joinSql(pieces: readonly Sql[], between: string): Sql {
  return pieces.reduce((joined, piece, at) => sql`${joined}${rawSql(at === 0 ? '' : between)}${piece}`, NO_SQL);
}
