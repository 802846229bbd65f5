import { readFileSync } from 'node:fs';
import { fold } from '../cleaning.ts';
import { compileCues, unmarked } from './compile.ts';
import { type ActName, type LanguageData, languageData, type PromiseCue } from './schema.ts';
import { stopwordsOf } from './stopwords.ts';
import { type DealSignal, LANGUAGES } from './types.ts';

/** A verb that stands for a commitment, with the forms that tell about it. */
type Verb = {
  infinitive: string;
  /** Its separable prefix, such as "an" of "anrufen"; '' for none. */
  particle: string;
  /** Its form after "he" or "she"; '' where it isn't known. */
  does: string;
};
/** `now`: about the moment or, with a day, about the future. `participle`: means "done" only next to "have". `does`:
 * what he or she will do. */
export type VerbRole = 'mine' | 'now' | 'participle' | 'does' | 'asked' | 'done' | 'infinitive';
export type VerbForm = { verb: Verb; roles: ReadonlySet<VerbRole> };

type GrammarCue =
  | 'will'
  | 'can'
  | 'offers'
  | 'shall'
  | 'assures'
  | 'handsOver'
  | 'takesOn'
  | 'owes'
  | 'ask'
  | 'manner'
  | 'idioms'
  | 'pointsBack';
type CalendarCue = Exclude<keyof LanguageData['calendar'], 'weekdays' | 'months' | 'inTime'>;

export type Calendar = Record<CalendarCue, RegExp> & {
  weekdays: RegExp[];
  months: RegExp[];
  inTime: { day: RegExp; week: RegExp; month: RegExp };
  /** Anything of the above that names a day, a weekday or a month. */
  anyDay: RegExp;
};

/** A language's data with its cues compiled. Every pattern is matched against folded text (see `fold`). */
export type Lexicon = Omit<LanguageData, 'acts' | 'promises' | 'verbs' | 'dealSignals' | 'calendar' | 'grammar'> & {
  acts: Record<ActName, RegExp>;
  promises: Record<PromiseCue, RegExp>;
  dealSignals: Record<DealSignal, RegExp>;
  calendar: Calendar;
  stopwords: ReadonlySet<string>;
  grammar: (Omit<NonNullable<LanguageData['grammar']>, GrammarCue> & Record<GrammarCue, RegExp>) | null;
  /** By folded form. */
  verbs: ReadonlyMap<string, VerbForm[]>;
};

const known = new Map<string, Lexicon>();

/** What is known about a language (ISO 639-1): without data of its own, little more than its dates and punctuation. */
export function lexiconOf(code: string): Lexicon {
  const cached = known.get(code);
  if (cached) return cached;
  const file = (LANGUAGES as readonly string[]).includes(code) ? code : 'other';
  const lexicon = compileLexicon({ ...readData(file), code });
  known.set(code, lexicon);
  return lexicon;
}

/** Throws when the data does not fit the schema. */
export function readData(file: string): LanguageData {
  return languageData.parse(JSON.parse(readFileSync(new URL(`./data/${file}.json`, import.meta.url), 'utf8')));
}

export function compileLexicon(data: LanguageData): Lexicon {
  const { acts, promises, dealSignals, calendar, grammar, verbs, ...rest } = data;
  const { weekdays, months, inTime, ...days } = calendar;
  return {
    ...rest,
    acts: compileEach(acts),
    promises: compileEach(promises),
    dealSignals: compileEach(dealSignals),
    calendar: {
      ...compileEach(days),
      weekdays: weekdays.map(compileCues),
      months: months.map(compileCues),
      inTime: compileEach(inTime),
      anyDay: compileCues(daysOf(calendar)),
    },
    grammar: grammar && { ...grammar, ...compileEach(pick(grammar)) },
    verbs: verbForms(verbs, data.code, grammar?.tellsFuture ?? false),
    stopwords: stopwordsOf(data.code),
  };
}

/** What names a day, a weekday or a month. */
function daysOf({ weekdays, months, inTime, ...days }: LanguageData['calendar']): string[] {
  const { today, laterToday, tomorrow, dayAfterTomorrow, weekend, endOfWeek, nextWeek, endOfMonth, nextMonth } = days;
  const relative = [today, laterToday, tomorrow, dayAfterTomorrow, weekend, endOfWeek, nextWeek, endOfMonth, nextMonth];
  return [...relative, ...Object.values(inTime), ...weekdays, ...months].flat();
}

function pick(grammar: Record<GrammarCue, string[]>): Record<GrammarCue, string[]> {
  const { will, can, offers, shall, assures, handsOver, takesOn, owes, ask, manner, idioms, pointsBack } = grammar;
  return { will, can, offers, shall, assures, handsOver, takesOn, owes, ask, manner, idioms, pointsBack };
}

function compileEach<Key extends string>(cues: Record<Key, string[]>): Record<Key, RegExp> {
  const compiled = Object.entries<string[]>(cues).map(([name, list]) => [name, compileCues(list)]);
  return Object.fromEntries(compiled) as Record<Key, RegExp>;
}

const ROLES: VerbRole[] = ['mine', 'asked', 'infinitive', 'done', 'does'];

/** "an|rufen: ruf rufe | ruf ruft | ruft | angerufen" */
function verbForms(lines: string[], code: string, tellsFuture: boolean): Map<string, VerbForm[]> {
  const forms = new Map<string, VerbForm[]>();
  const unmarkedForms: [string, VerbForm][] = [];
  for (const line of lines) {
    const [name = '', rest = ''] = line.split(':');
    const [mine = '', asked = '', does = '', done = ''] = rest.split('|').map(part => part.trim());
    const verb = verbOf(name, does);
    const roles = new Map<string, Set<VerbRole>>();
    for (const [index, list] of [mine, asked, infinitivesOf(name), done, tellsFuture ? does : ''].entries()) {
      for (const form of list.split(' ').filter(Boolean)) {
        const role = form.startsWith('~') ? (index === 3 ? 'participle' : 'now') : ROLES[index];
        const key = fold(form.replace(/^~/, ''), code).replaceAll('_', ' ');
        if (role) roles.set(key, (roles.get(key) ?? new Set()).add(role));
      }
    }
    for (const [form, of] of roles) {
      const found = { verb, roles: of };
      forms.set(form, [...(forms.get(form) ?? []), found]);
      // "Contrató" without its accent is a contract.
      if (form.length > 3) unmarkedForms.push([of.has('done') ? unmarked(form) : plain(form), found]);
    }
  }
  // Without its accents, a form counts only if it isn't another form itself: "pague" is "pague", not "pagué".
  const marked = new Set(forms.keys());
  for (const [form, found] of unmarkedForms)
    if (!marked.has(form)) forms.set(form, [...(forms.get(form) ?? []), found]);
  return forms;
}

/** "mandare" for "mandaré", "wysle" for "wyślę", as chats write; German umlauts stay. */
export function plain(form: string): string {
  return unmarked(form).replaceAll(/[áàâãéèêíîóôõúûçñ]/g, letter => letter.normalize('NFD').charAt(0));
}

function verbOf(name: string, does: string): Verb {
  const [particle, bare] = name.includes('|') ? name.split('|') : ['', name];
  return {
    infinitive: `${particle}${bare}`.trim(),
    particle: particle ?? '',
    does: does.replaceAll('_', ' '),
  };
}

/** "anrufen anzurufen rufen" ("rufen Sie … an"), "melden" of "sich melden". */
function infinitivesOf(name: string): string {
  const bare = name.trim().replace(/^sich /, '');
  return bare.includes('|') ? `${bare.replace('|', '')} ${bare.replace('|', 'zu')} ${bare.replace(/^.*\|/, '')}` : bare;
}
