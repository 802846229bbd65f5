import { readFileSync } from 'node:fs';
import { fold } from '../../src/clients/summarizer/cleaning.ts';
import { compileCues, unmarked } from '../../src/clients/summarizer/languages/compile.ts';
import * as lexicon from '../../src/clients/summarizer/languages/lexicon.ts';
import { languageData } from '../../src/clients/summarizer/languages/schema.ts';
import { LANGUAGES } from '../../src/clients/summarizer/languages/types.ts';

type List = unknown[] | Record<string, string>;
type Data = { [name: string]: unknown };
/** A cue, a word, a verb, or a short form with what it stands for. */
export type Entry = { code: string; list: string; entry: string };

const CODES = [...LANGUAGES, 'other'];
const FOLDER = new URL('../../src/clients/summarizer/languages/data/', import.meta.url);
const JSON_OF = new Map(CODES.map(code => [code, readFileSync(new URL(`${code}.json`, FOLDER), 'utf8')]));
const { compiled } = lexicon as unknown as { compiled: Map<string, unknown> };
const dataOf = (code: string) => JSON.parse(JSON_OF.get(code) ?? '{}') as Data;

/** All entries of the lists of all languages, named like "acts.done"; what media are called is no cue. */
export function entries(): Entry[] {
  return CODES.flatMap(code =>
    [...listsIn(dataOf(code))].flatMap(([list, of]) =>
      [...new Set(valuesOf(of))].map(entry => ({ code, list, entry })),
    ),
  );
}

/** Reads on without some entries. Returns what puts them back. */
export function without(gone: Entry[]): () => void {
  const before = new Map(compiled);
  for (const [code, ofCode] of Map.groupBy(gone, entry => entry.code)) {
    const data = dataOf(code);
    const lists = listsIn(data);
    for (const [name, some] of Map.groupBy(ofCode, ({ list }) => list)) {
      const texts = new Set(some.map(({ entry }) => entry));
      remove(lists.get(name) ?? [], entry => texts.has(entry));
    }
    const parsed = languageData.parse(data);
    const others = [...before.keys()].filter(key => !CODES.includes(key));
    for (const key of code === 'other' ? others : [code])
      compiled.set(key, lexicon.compileLexicon({ ...parsed, code: key }));
  }
  return () => {
    compiled.clear();
    for (const [code, one] of before) compiled.set(code, one);
  };
}

function listsIn(data: Data, path = ''): Map<string, List> {
  const lists = new Map<string, List>();
  for (const [name, value] of Object.entries(data)) {
    if (name === 'media' || typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value) || name === 'spelling';
    if (isList) lists.set(`${path}${name}`, value as List);
    else for (const [inner, list] of listsIn(value as Data, `${path}${name}.`)) lists.set(inner, list);
  }
  return lists;
}

function valuesOf(list: List): string[] {
  return Array.isArray(list)
    ? list.flat().map(String)
    : Object.entries(list).map(([short, long]) => `${short}=${long}`);
}

/** The seven weekdays keep their places. */
function remove(list: List, isGone: (entry: string) => boolean): void {
  if (!Array.isArray(list)) {
    for (const [short, long] of Object.entries(list)) if (isGone(`${short}=${long}`)) delete list[short];
  } else if (Array.isArray(list[0])) for (const inner of list as unknown[][]) remove(inner, isGone);
  else list.splice(0, list.length, ...list.filter(entry => !isGone(String(entry))));
}

/** Whether an entry may be found in text that was read, a line for each piece of it. */
export function finderOf({ code, list, entry }: Entry): (text: string) => boolean {
  if (isCompiled(code, list)) {
    const { source } = compileCues([entry]);
    const cue = new RegExp(source, 'um');
    return text => cue.test(text);
  }
  const forms = list === 'verbs' ? entry.split(/[:|\s]+/) : [entry.replace(/=.*$/, '')];
  const words = forms.filter(Boolean).map(form => fold(form.replace(/^~/, ''), code).replaceAll('_', ' '));
  const known = new Set([...words, ...words.map(unmarked), ...words.map(lexicon.plain)]);
  return text => [...known].some(word => text.includes(word));
}

function isCompiled(code: string, list: string): boolean {
  const path = list.split('.');
  const found = path.reduce<unknown>((inner, name) => (inner as Data | undefined)?.[name], lexicon.lexiconOf(code));
  return found instanceof RegExp || (Array.isArray(found) && found[0] instanceof RegExp);
}
