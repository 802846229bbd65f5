import { registerHooks } from 'node:module';

type Answer = (given: unknown[]) => unknown;
/** What a rule answers once it is switched off, by what it returns; rules that return anything else always run. */
const ANSWERS: [type: RegExp, answers: Record<string, Answer>][] = [
  [/^boolean$| is /, { no: () => false, yes: () => true }],
  [/^void$/, { nothing: () => undefined }],
  [/\| null$|^Finding$/, { none: () => null }],
  [/\| undefined$/, { none: () => undefined }],
  [/\[\]$/, { none: () => [] }],
  [/^(?:Readonly)?Set</, { none: () => new Set() }],
  [/^(?:Readonly)?Map</, { none: () => new Map() }],
  // What takes words out of a text leaves it as it is.
  [/^string$/, { same: ([text]) => text }],
];
const PARAMETERS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const HEAD = String.raw`^(export function |function |  get |  (?=#?\w+\())(#?\w+)((?:<[^>]+>)?)(${PARAMETERS}): ([^\n;=]+) \{\n`;
const FINDER = /^export const (\w+): Finder = /gm;
const ROOM = '/src/clients/summarizer/builtIn/';
/** What keeps secrets and who may decide what is no matter of figures. */
const KEPT = /secret|mayTell|readAll|constructor/i;
/** A rule that is asked more often in one case keeps the reading from ending. */
const MOST_CALLS = 200_000;

/** Names of rules with what they answer instead ("replies isOnlyMe no"), and the cases in which that is something else. */
export const casesOf = new Map<string, Set<number>>();
export const now = { off: '', at: -1, calls: 0, isRecording: false };

/** Makes every rule of the built-in summarizer that is loaded from now on one that can be switched off. */
export function switchRules(): void {
  const answersOf = new Map<string, Record<string, Answer>>();
  const isOther = (given: unknown, instead: unknown) =>
    Array.isArray(given)
      ? given.length > 0
      : given instanceof Set || given instanceof Map
        ? given.size > 0
        : given !== instead;
  const ask = (rule: string, call: () => unknown, given: IArguments) => {
    const answers = answersOf.get(rule) ?? {};
    if (now.off.startsWith(`${rule} `)) {
      now.calls += 1;
      if (now.calls > MOST_CALLS) throw new Error('It never ends.');
      return answers[now.off.slice(rule.length + 1)]?.([...given]);
    }
    const result = call();
    if (now.isRecording)
      for (const [name, answer] of Object.entries(answers))
        if (result === undefined || isOther(result, answer([...given]))) casesOf.get(`${rule} ${name}`)?.add(now.at);
    return result;
  };
  Object.assign(globalThis, { askRule: ask });
  const known = (rule: string, answers: Record<string, Answer>) => {
    answersOf.set(rule, answers);
    for (const name of Object.keys(answers)) casesOf.set(`${rule} ${name}`, new Set());
  };
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const at = url.indexOf(ROOM);
      if (url.endsWith('/languages/lexicon.ts'))
        return { ...loaded, source: `${loaded.source}\nexport { known as compiled };` };
      if (at < 0 || !url.endsWith('.ts') || url.endsWith('inThread.ts')) return loaded;
      const file = url.slice(at + ROOM.length, -'.ts'.length);
      const withRule = (
        head: string,
        start: string,
        name: string,
        generic: string,
        parameters: string,
        type: string,
      ) => {
        const [, answers] = ANSWERS.find(([returned]) => returned.test(type)) ?? [];
        const isText = type !== 'string' || /^\(\s*\w+: string\b/.test(parameters);
        if (KEPT.test(name) || !answers || !isText) return head;
        known(`${file} ${name}`, answers);
        const real = start.includes('function') ? `${name}$.apply(this, arguments)` : `this.${name}$`;
        const called = start.includes('function') || start.includes('get') ? real : `${real}(...arguments)`;
        return `${start}${name}() { return askRule('${file} ${name}', () => ${called}, arguments); }
${start.replace('export ', '')}${name}$${generic}${parameters}: ${type} {\n`;
      };
      const source = `${loaded.source}`
        .replaceAll(new RegExp(HEAD, 'gm'), withRule)
        .replaceAll(FINDER, (_, name: string) => {
          known(`${file} ${name}`, { none: () => null });
          return `export function ${name}() { return askRule('${file} ${name}', () => ${name}$.apply(this, arguments), arguments); }
const ${name}$: Finder = `;
        });
      return { ...loaded, source };
    },
  });
}
