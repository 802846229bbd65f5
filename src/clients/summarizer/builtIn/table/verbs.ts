import type { Sentence } from '../../conversation.ts';
import { everywhere } from '../../languages/compile.ts';
import type { Lexicon, VerbForm, VerbRole } from '../../languages/lexicon.ts';
import type { Grammar, Part, Word } from './parts.ts';

/** A word that is a form of a verb, in one of its possible roles. */
export type Found = { form: VerbForm; at: number; role: VerbRole };

export function verbsIn(words: Word[], lexicon: Lexicon, grammar: Grammar): Found[] {
  const { verbs, nounsCapitalized } = lexicon;
  const known = words.flatMap(({ low }, at) => {
    const forms = verbs.get(low);
    return forms ? { at, low, forms } : [];
  });
  if (known.length === 0) return [];
  const isReflexive = words.some(({ low }) => grammar.reflexives.includes(low));
  const idle = idioms(words, grammar);
  const ends = endsOfClauses(words, grammar);
  const lastAt = new Map(words.map(({ low }, at) => [low, at]));
  return known.flatMap(({ at, low, forms: all }) => {
    if (idle.has(at) || isNounBehind(words[at - 1]?.low, lexicon)) return [];
    if (nounsCapitalized && isGermanNoun(words, at)) return [];
    const forms = all.filter(
      ({ verb }) =>
        isWhole(verb.particle, low, lastAt.get(verb.particle)) && (isReflexive || !isReflexiveVerb(verb.infinitive)),
    );
    // "Ruf … an" is "anrufen" before it is "rufen", "melde mich" is "sich melden" before it is "melden".
    const most = Math.max(...forms.map(closeness));
    const end = ends[at] ?? words.length;
    const closest = forms
      .filter(form => closeness(form) === most)
      .map(form => withParticle(form, at < end - 1 ? (words[end - 1]?.low ?? '') : '', verbs));
    return closest.flatMap(form => [...form.roles].map(role => ({ form, at, role })));
  });
}

/** "Ich bin auf Messe", "bin auf messe" aren't "messen": inner verbs are lowercase, and none follows "auf". */
function isGermanNoun(words: Word[], at: number): boolean {
  if (at === 0) return false;
  return /^\p{Lu}\p{Ll}/u.test(words[at]?.text ?? '');
}

/** "The order", "your quote": a noun, though it has the form of a verb. */
export function isNounBehind(before: string | undefined, { grammar, nounLead }: Lexicon): boolean {
  return grammar?.nounsLikeVerbs === true && before !== undefined && nounLead.includes(before);
}

/** The words of phrases whose verbs promise nothing. */
function idioms(words: Word[], { idioms: cues }: Grammar): Set<number> {
  const said = words.map(({ low }) => low).join(' ');
  const idle = new Set<number>();
  if (!cues.test(said)) return idle;
  let [counted, from] = [0, 0];
  for (const { 0: match, index } of said.matchAll(everywhere(cues))) {
    from += spacesIn(said.slice(counted, index));
    counted = index;
    for (let at = from + spacesIn(match); at >= from; at -= 1) idle.add(at);
  }
  return idle;
}

function spacesIn(text: string): number {
  return text.split(' ').length - 1;
}

/** Of each word, where an "and" begins what may have a verb of its own: "ich unterschreib das und werf es ein". */
function endsOfClauses(words: Word[], { and }: Grammar): number[] {
  let end = words.length;
  const ends: number[] = [];
  for (let at = words.length - 1; at >= 0; at -= 1) {
    ends[at] = end;
    if (and.includes(words[at]?.low ?? '')) end = at;
  }
  return ends;
}

const PARTICLES = new WeakMap<Lexicon['verbs'], ReadonlySet<string>>();

function particlesOf(verbs: Lexicon['verbs']): ReadonlySet<string> {
  const known = PARTICLES.get(verbs) ?? new Set([...verbs.values()].flat().map(({ verb }) => verb.particle));
  PARTICLES.set(verbs, known);
  return known;
}

/** "Teile ich auf" is "aufteilen", even if the table has only "teilen": a particle at the end of the clause joins. */
function withParticle(form: VerbForm, last: string, verbs: Lexicon['verbs']): VerbForm {
  const { verb, roles } = form;
  if (
    last === '' ||
    !particlesOf(verbs).has(last) ||
    verb.particle !== '' ||
    isReflexiveVerb(verb.infinitive) ||
    roles.has('infinitive')
  )
    return form;
  return { roles, verb: { ...verb, particle: last, infinitive: `${last}${verb.infinitive}` } };
}

function isOnly(role: VerbRole, roles: readonly VerbRole[]): boolean {
  return roles.length > 0 && roles.every(one => one === role);
}

/** Whether a verb says that something is over, and none that anything is still to do. */
export function tellsOfPast({ words, isQuestion }: Sentence, lexicon: Lexicon): boolean {
  const { verbs, grammar, acts, calendar, promises } = lexicon;
  if (!grammar || isQuestion) return false;
  // "Gekauft!": on its own, a participle says so, too.
  const has = words.some(word => grammar.have.includes(word));
  const rolesAt = (at: number) =>
    isNounBehind(words[at - 1], lexicon) ? [] : (verbs.get(words[at] ?? '')?.flatMap(form => [...form.roles]) ?? []);
  // "I paid the rent on Monday"
  const isTold =
    words.some((word, at) => grammar.subjects.includes(word) && isOnly('done', rolesAt(at + 1))) &&
    ![acts.received, promises.arrived].some(cue => cue.test(words.join(' ')));
  if (!grammar.pastTells && !has && !isTold && words.length > 3) return false;
  const last = words.length - 1;
  const roles = words.map((_, at) => {
    const own = rolesAt(at);
    // "Die Miete hab ich am Montag bezahlt"
    return has && grammar.verbLast && at === last && own.includes('done') ? (['done'] as const) : own;
  });
  if (!roles.some(of => of.length > 0 && of.every(role => role === 'done' || (has && role === 'participle'))))
    return false;
  if (roles.some((of: readonly VerbRole[]) => of.includes('mine') || of.includes('now') || of.includes('asked')))
    return false;
  const said = words.join(' ');
  // "I'll have it fixed by Friday"
  return ![acts.negation, calendar.tomorrow, calendar.nextWeek, grammar.will, grammar.can].some(cue => cue.test(said));
}

function isReflexiveVerb(infinitive: string): boolean {
  return infinitive.startsWith('sich ');
}

function closeness({ verb }: VerbForm): number {
  return verb.particle.length + (isReflexiveVerb(verb.infinitive) ? 1 : 0);
}

/** `at`: where the words last have the particle. */
function isWhole(particle: string, low: string, at: number | undefined): boolean {
  if (particle === '' || low.startsWith(particle)) return true;
  return at !== undefined;
}

/** In many languages, only its position tells the form of a request from that of a statement. */
export function mayAsk(found: Found, part: Part, grammar: Grammar): boolean {
  const { form, at } = found;
  const { words } = part;
  const { imperativeFirst, particles, subjects, formal, and } = grammar;
  if (form.roles.has('mine') && (words.some(({ low }) => subjects.includes(low)) || isOwn(found, part, grammar)))
    return false;
  if (!imperativeFirst) return true;
  if (isThirdPerson(found, part, grammar)) return false;
  return words
    .slice(0, at)
    .every(({ low }) => particles.includes(low) || formal.includes(low) || and.includes(low) || isGiven(low, grammar));
}

/** "Zeigt 5 Grad", "kommt morgen" tell of something; "schickt uns", "ruft bitte an" ask for it. */
function isThirdPerson({ form, at }: Found, { words }: Part, { verbLast, needsSubject, me, you }: Grammar): boolean {
  const { does } = form.verb;
  const low = words[at]?.low ?? '';
  if (!verbLast || !needsSubject || (does !== low && does !== `${low} sich`)) return false;
  return !words.some(({ low: other }) => me.includes(other) || you.includes(other));
}

/** In a request, pronouns may come before the verb: "me mandas". */
function isGiven(low: string, { needsSubject, me, you, objects }: Grammar): boolean {
  return !needsSubject && (me.includes(low) || objects.includes(low) || you.includes(low));
}

export function maySpeakFor(found: Found, part: Part, grammar: Grammar): boolean {
  const { needsSubject, nounsLikeVerbs, particles, subjects, subordinators } = grammar;
  // "He asks when we'll ship it" takes nothing on.
  if (subordinators.includes(part.words[found.at - 1]?.low ?? '')) return false;
  if (!needsSubject || isOwn(found, part, grammar)) return true;
  // "I think they do" takes nothing on.
  if (nounsLikeVerbs) {
    const before = part.words.slice(0, found.at).findLast(({ low }) => !particles.includes(low));
    return subjects.includes(before?.low ?? '');
  }
  return part.words.slice(Math.max(0, found.at - 3), found.at + 3).some(({ low }) => subjects.includes(low));
}

/** "Schick dir morgen die Liste", "melde mich": the subject is left out, but the object pronoun tells who acts. */
function isOwn({ at, form }: Found, { words, isQuestion }: Part, { particles, and, me, you, needsSubject }: Grammar) {
  if (!needsSubject || isQuestion || !form.roles.has('mine')) return false;
  const isFirst = words.slice(0, at).every(({ low }) => particles.includes(low) || and.includes(low));
  if (!isFirst) return false;
  const has = (pronouns: string[]) => words.some(({ low }) => pronouns.includes(low));
  // "Komme um drei", "überweise sofort": with most verbs, chats use this form only for the speaker.
  if (PLAIN_FORM.test(words[at]?.low ?? '') && !has(me)) return true;
  return isReflexiveVerb(form.verb.infinitive) ? has(me) : has(you) && !has(me);
}

/** "I'm sending it", "sending it tonight": where verbs look like nouns, a form alone says nothing. */
export function maySayNow(found: Found, part: Part, grammar: Grammar): boolean {
  if (found.role !== 'now') return false;
  if (!grammar.nounsLikeVerbs || maySpeakFor(found, part, grammar)) return true;
  return found.at === 0 && !found.form.roles.has('infinitive');
}

const PLAIN_FORM = /(?<![dt]|[^aeiouäöühlrmn][mn])e$/u;
