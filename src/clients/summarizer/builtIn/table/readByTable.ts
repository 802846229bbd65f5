import type { Sentence } from '../../conversation.ts';
import { everywhere } from '../../languages/compile.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import type { Doer, Move } from '../types.ts';
import type { When } from '../when.ts';
import { type Cued, readByCues } from './cues.ts';
import { deedOf, joinedDeeds } from './deeds.ts';
import { type Grammar, type Part, partsOf } from './parts.ts';
import { type Found, mayAsk, maySayNow, maySpeakFor, verbsIn } from './verbs.ts';

type Read = Cued & { found: Found | null };

/** What a sentence takes on or asks for, by the table of verbs of its language. */
export function readByTable(
  sentence: Sentence,
  spelled: string,
  lexicon: Lexicon,
  dayIn: (text: string) => When | null,
): Move[] {
  const { grammar } = lexicon;
  if (!grammar) return [];
  const parts = partsOf(spelled, sentence, lexicon, grammar);
  const isCued = lexicon.verbs.size === 0;
  const marked = parts.filter(({ goesOn }) => !goesOn).length;
  const hasVerb = ({ words }: Part) => verbsIn(words, lexicon, grammar).length > 0;
  const isDatedCommitment = (part: Part) =>
    dayIn(part.text) !== null && readPart(part, lexicon, grammar, null) !== null;
  const moves: Move[] = [];
  let before: Read | null = null;
  for (const part of parts) {
    const read = readPart(part, lexicon, grammar, part.goesOn ? before : null);
    const goesOn = part.goesOn && before !== null && read !== null && before.act === read.act;
    before = read;
    if (!read) continue;
    const own = dayIn(part.text);
    // A day that another part says of its own commitment is not this one's. "Otávio, I need the list, on Monday at the
    // latest" has one commitment.
    const isOnlyCommitment = marked < 3 || isCued || !parts.some(other => other !== part && hasVerb(other));
    const when =
      own ??
      (isOnlyCommitment && !parts.some(other => other !== part && isDatedCommitment(other)) ? dayIn(spelled) : null);
    const said = read.found && { words: part.words, found: read.found, day: when?.words ?? '' };
    const deed = said && deedOf(said, lexicon, grammar);
    // Without a verb a day elsewhere in the sentence may be of something else.
    const isDated = read.found || isCued ? when !== null : dayIn(part.text) !== null;
    if (isOnlyLook(read, when, parts.slice(0, parts.indexOf(part)), lexicon)) continue;
    const act = read.act === 'offer' && isDated && !part.isQuestion ? 'promise' : read.act;
    const move = { act, doer: read.doer, deed, when, strength: isDated ? read.withDate : read.strength };
    const last = moves.at(-1);
    if (goesOn && last && last.doer === move.doer) moves.splice(-1, 1, joined(last, move));
    else moves.push(move);
  }
  return moves;
}

/** "Sent it, have a look": what was done is there to be seen. */
function isOnlyLook(
  { act, found }: Read,
  when: When | null,
  before: Part[],
  { acts, grammar, verbs }: Lexicon,
): boolean {
  if (act !== 'request' || !found || when || !grammar?.looks.includes(found.form.verb.infinitive)) return false;
  const tellsDone = ({ folded, words }: Part) =>
    acts.done.test(folded) ||
    (grammar.pastTells && words.some(({ low }) => verbs.get(low)?.every(({ roles }) => roles.has('done'))));
  return before.some(tellsDone);
}

/** "I'll check it and call you": one commitment. */
function joined(one: Move, other: Move): Move {
  return {
    ...one,
    deed: one.deed && other.deed ? joinedDeeds(one.deed, other.deed) : (one.deed ?? other.deed),
    when: other.when ?? one.when,
    strength: Math.max(one.strength, other.strength),
  };
}

function readPart(part: Part, lexicon: Lexicon, grammar: Grammar, before: Read | null): Read | null {
  if (lexicon.verbs.size === 0) {
    const cued = readByCues(part, lexicon, grammar);
    return cued && { ...cued, found: null };
  }
  const { words, folded: all, isQuestion } = withoutEmbedded(part, grammar);
  const folded = all.replaceAll(everywhere(grammar.idioms), ' ');
  const verbs = verbsIn(words, lexicon, grammar);
  const isInfinitive = ({ role }: Found) => role === 'infinitive';
  // "I'll send the invoice copies": where nouns look like verbs, the first is the verb.
  const infinitive = grammar.nounsLikeVerbs ? verbs.find(isInfinitive) : verbs.findLast(isInfinitive);
  const asked = verbs.find(found => found.role === 'asked' && mayAsk(found, part, grammar));
  const mine = verbs.find(
    found => found.role === 'mine' && (before?.act === 'promise' || maySpeakFor(found, part, grammar)),
  );
  const someone = infinitive ?? verbs.find(({ role }) => role === 'asked');
  // "The one who sends it" asks no one.
  const asksSomeone = lexicon.acts.someone.test(folded) && (!grammar.nounsLikeVerbs || grammar.ask.test(folded));
  if (asksSomeone && someone) return request(someone, 'someone', 0.6);
  // "Don't forget to send it" is no refusal.
  if (lexicon.acts.negation.test(folded.replace(grammar.ask, ' ').replace(grammar.assures, ' ')) && !isQuestion)
    return null;
  const anyVerb = asked ?? infinitive ?? mine ?? verbs.find(({ role }) => role === 'asked' || role === 'now');
  if (isQuestion && grammar.shall.test(folded) && anyVerb) return offer(anyVerb);
  if (grammar.ask.test(folded) && anyVerb) return request(anyVerb, 'listener', 0.7);
  if (infinitive && grammar.formal.includes(words[infinitive.at + 1]?.low ?? ''))
    return request(infinitive, 'listener', 0.65);
  if (before && (mine ?? infinitive) && before.act === 'promise')
    return { ...before, found: mine ?? infinitive ?? null };
  if (before && (asked ?? infinitive)) return { ...before, found: asked ?? infinitive ?? null };
  if (asked) return request(asked, 'listener', 0.55);
  // "When do I get it?"
  if (isQuestion && grammar.owes.test(folded)) return request(null, 'listener', 0.6);
  // "Can you intro me?"
  if (isQuestion && grammar.nounsLikeVerbs && grammar.ask.test(folded))
    return asksSomeone ? null : request(null, 'listener', 0.5);
  if (isQuestion) return offered(verbs, part, grammar, lexicon);
  if (grammar.owes.test(folded)) return request(null, 'listener', 0.6);
  if (grammar.will.test(folded) && infinitive) return promise(infinitive, 0.75, 0.9);
  if (grammar.can.test(folded) && infinitive) return promise(infinitive, 0.3, 0.65);
  if (grammar.offers.test(folded) && infinitive) return offer(infinitive);
  if (lexicon.acts.proposes.test(folded)) return null;
  if (mine) return promise(mine, 0.55, 0.85);
  const now = verbs.find(found => maySayNow(found, part, grammar));
  if (now) return promise(now, 0.2, 0.8);
  if (grammar.takesOn.test(folded)) return promise(null, 0.6, 0.85);
  if (grammar.handsOver.test(folded)) return promise(null, 0.3, 0.8);
  const theirs = verbs.find(({ role }) => role === 'does');
  // What someone of theirs will do counts mainly if it has a day.
  if (theirs) return promise(null, 0.1, 0.7);
  if (lexicon.acts.needs.test(folded)) return request(null, 'listener', grammar.ask.test(folded) ? 0.6 : 0.5);
  const isMore = words.filter(({ low }) => !grammar.particles.includes(low)).length > 2;
  return grammar.ask.test(folded) && isMore ? request(null, 'listener', 0.3) : null;
}

function offer(found: Found): Read {
  return { ...promise(found, 0.3, 0.65), act: 'offer' };
}

/** "¿Te lo mando?", "Прислать вам?": an offer; "what do I send?" is a question. */
function offered(
  verbs: Found[],
  { words, folded }: Part,
  { needsSubject, serial, you }: Grammar,
  { acts }: Lexicon,
): Read | null {
  const isToYou = words.some(({ low }) => you.includes(low));
  if (acts.question.test(folded) || acts.proposes.test(folded) || !isToYou || needsSubject) return null;
  const found = verbs.find(({ role, at }) => role === 'mine' || (role === 'infinitive' && at === 0 && serial));
  return found ? offer(found) : null;
}

/** "Ich prüfe, ob wir das beantragen können": the commitment comes before the "ob". */
function withoutEmbedded(part: Part, { embeds }: Grammar): Part {
  const at = part.isQuestion ? 0 : part.words.findIndex(({ low }) => embeds.includes(low));
  if (at < 1) return part;
  const words = part.words.slice(0, at);
  return { ...part, words, folded: words.map(({ low }) => low).join(' ') };
}

function request(found: Found | null, doer: Doer, strength: number): Read {
  return { act: 'request', doer, found, strength, withDate: 0.85 };
}

function promise(found: Found | null, strength: number, withDate: number): Read {
  return { act: 'promise', doer: 'speaker', found, strength, withDate };
}
