import { z } from 'zod';
import { MEDIA_KINDS } from '../../messenger/types.ts';
import { calendar, dates } from './calendar.ts';
import { byWord, cues, words } from './cues.ts';
import { DEAL_SIGNALS } from './types.ts';

/** What people do by saying a sentence, recognized by its words. */
const acts = z.strictObject({
  /** Greetings, thanks and yeses: a sentence of nothing else is small talk. */
  smallTalk: cues,
  /** Begins a question even without a question mark. */
  question: cues,
  /** Agrees to what was just asked or proposed. */
  accepts: cues,
  /** Declines it. */
  refuses: cues,
  /** Something is done, sent, paid or no longer needed. */
  done: cues,
  /** Says that what the other side was to hand over has come. */
  received: cues.default([]),
  /** Done in this moment, not something to remember: "one second", "looking now". */
  moment: cues,
  /** Some day, maybe: kind words that commit no one. */
  vague: cues,
  /** True only if something else happens: "if", "in case". */
  condition: cues,
  /** Asks for someone without saying whom. */
  someone: cues,
  /** Asks everyone in a group, each for their own part. */
  everyone: cues.default([]),
  /** Asks who does something. */
  asksWho: cues.default([]),
  /** Asks only for agreement with what is said before it: "…, ok?" */
  tag: cues.default([]),
  /** Laughs: what is said is no more than half serious. */
  laughs: cues.default([]),
  /** Puts forward something to do together. */
  proposes: cues,
  /** Asks again for what is owed: "any news?" */
  asksAgain: cues.default([]),
  /** Says what the speaker needs from the other side. */
  needs: cues,
  urgent: cues,
  /** Says that something is not urgent. */
  noHurry: cues.default([]),
  /** An "if" that makes no condition: "it would be great if you could", "if you get a chance". */
  softens: cues.default([]),
  /** Says that no answer is needed, or that silence is one. */
  noReply: cues.default([]),
  /** After a deadline: what happens when it passes. */
  consequence: cues.default([]),
  /** Threatens to leave, to cancel, not to pay, or to go to law. */
  threat: cues,
  /** Something is down or at a standstill. */
  outage: cues,
  positive: cues,
  /** Everyday thanks and kind words. */
  polite: cues.default([]),
  negative: cues,
  /** Reverses what the words right after it say. */
  negation: cues,
  meeting: cues,
  /** A number from a hundred up, in words. */
  large: cues.default([]),
  /** Zero to nine, in words, as one says a telephone number. */
  digits: cues.default([]),
  introduction: cues,
  /** Says that something is decided, agreed or changed. */
  decides: cues,
});

/** What becomes of a promise on a later day. */
const promises = z.strictObject({
  /** Done, whatever it was. */
  generic: cues.default([]),
  /** In addition to `acts.done`: said about things that were sent out, or done before. */
  kept: cues.default([]),
  /** In addition to `acts.received`: whoever it was promised to has it. */
  arrived: cues.default([]),
  /** No longer needed, or not going to happen. */
  dropped: cues.default([]),
  /** "Not needed yet", "not before Friday": what is dropped for now is not dropped. */
  notNow: cues.default([]),
  /** On another day instead. */
  postponed: cues.default([]),
  /** Still to come, in part, conditional, or thanked for in advance: not done, whatever else is said. */
  pending: cues.default([]),
  /** "Yesterday", "in the drive": when it was done or where it is doesn't say what it was. */
  lately: cues.default([]),
  /** Asks whether something has been done: a yes says that it has. */
  whether: cues.default([]),
  /** Confirms that something is done; "ok" and "sure" only promise it again. */
  yes: cues.default([]),
  /** Says thanks for what was just said to be done, or that it works. */
  thanks: cues.default([]),
  /** Only a part of what was promised, or only a step on the way. */
  partial: cues.default([]),
  /** Something is not as it should be: "but", "broken", "the old one". */
  flawed: cues.default([]),
  /** "And": joins two things of which each was promised. */
  joins: cues.default([]),
  /** Says that a third person has yet to act: "with our lawyer", "for signature". */
  elsewhere: cues.default([]),
  /** Words of handing over, in every form; below, of paying and so on: "paid" keeps no promise to send. */
  sends: cues.default([]),
  pays: cues.default([]),
  signs: cues.default([]),
  calls: cues.default([]),
  books: cues.default([]),
  tells: cues.default([]),
  approves: cues.default([]),
  repairs: cues.default([]),
  opens: cues.default([]),
  /** Whoever was to get access has it. */
  entered: cues.default([]),
  /** "Will be": says how something is to be, not that it is still to be done. */
  states: cues.default([]),
});

/**
 * How the language says who takes on what; null where that is not known. Where `verbs` is empty, only `ask`, `owes`,
 * `takesOn` and `handsOver` tell it.
 */
const grammar = z.strictObject({
  /** The verb of a commitment comes last, as in "den Vertrag schicken". */
  verbLast: z.boolean().default(false),
  /** The first word of a sentence loses its capital in a commitment even where no list has the word. */
  lowersFirst: z.boolean().default(false),
  /** Verbs in the first person need one of `subjects` beside them; else their form alone tells who speaks. */
  needsSubject: z.boolean().default(false),
  /** Verbs have the form of nouns: behind a word of `nounLead` it is one, as in "the order". */
  nounsLikeVerbs: z.boolean().default(false),
  /** A request in the imperative begins with its verb; otherwise the verb may be anywhere. */
  imperativeFirst: z.boolean().default(false),
  /** Pronouns of whoever takes something on, before the verb; dropped. */
  subjects: words.default([]),
  /** "I will", "we are going to": turns the infinitive after it into a promise. */
  will: cues.default([]),
  /** "I can", "I must": the same, weaker. */
  can: cues.default([]),
  /** "I can": an offer, which binds when it is accepted or has a day. */
  offers: cues.default([]),
  /** "Shall I": a question with it offers what the following verb says. */
  shall: cues.default([]),
  /** Negative words that negate nothing: "without fail", "no problem". */
  assures: cues.default([]),
  /** "You will have it", "it will be ready": the speaker is to hand something over, without a verb of the table. */
  handsOver: cues,
  /** "Leave it to me": the speaker takes on what is named, without a verb of the table. */
  takesOn: cues.default([]),
  /** "That's on you": the same for the listener. */
  owes: cues.default([]),
  /** "Can you", "please": turns the infinitive or imperative after it into a request. */
  ask: cues,
  /** After an infinitive, makes it a formal request, as in "schicken Sie". */
  formal: words.default([]),
  /** Stand before the infinitive that another verb leads: "passo a ritirarlo". */
  prepositions: words.default([]),
  /** Words without which a commitment loses nothing: "please", "mal". */
  particles: words.default([]),
  /** Verbs that are complete without an object: "call back". */
  whole: words.default([]),
  /** "And" between two verbs of one commitment. */
  and: words.default([]),
  /** Two verbs in the same form may follow each other without an "and": "заеду подпишу". */
  serial: z.boolean().default(false),
  /** Written together with the word behind them: "l'envoie" is two words. */
  elided: words.default([]),
  /** Make the verb next to them reflexive; such a verb is listed with its "sich". */
  reflexives: words.default([]),
  /** Pronouns that join the verb before them: "mándame", "enviártelo". */
  enclitics: words.default([]),
  /** Begin a clause that may stay in a commitment as it is: "if", "that". */
  subordinators: words.default([]),
  /** Begin a clause that is what is checked, said or asked, with a comma before it: "ob", "dass". */
  embeds: words.default([]),
  /** Ways and times that don't say what is meant: "by mail", "later". */
  manner: cues.default([]),
  /** The verb after "he" or "she" is about the future: "приедет", "enviará". */
  tellsFuture: z.boolean().default(false),
  /** "I have": makes the participle that comes with it mean "done". */
  have: words.default([]),
  /** Verbs of looking: after something done, they ask for nothing to remember: "Sent it, have a look". */
  looks: words.default([]),
  /** Stand for what was said before: "about it". */
  pointsBack: cues.default([]),
  /** Phrases whose verbs promise nothing: "trato hecho". */
  idioms: cues.default([]),
  /** Past forms tell that something is over, without a "have". */
  pastTells: z.boolean().default(false),
  /** Words for the speaker, the listener, what is theirs, and "it" and "them": they don't say what is to be done. */
  me: words.default([]),
  you: words.default([]),
  own: words.default([]),
  objects: words.default([]),
});

export const languageData = z.strictObject({
  /** ISO 639-1 */
  code: z.string().length(2),
  /** A noun has a plural in "s" and no other forms. */
  onlyPlurals: z.boolean().default(false),
  /** Every noun has a capital, and inside a sentence little else has. */
  nounsCapitalized: z.boolean().default(false),
  /** ";" ends a question. */
  semicolonAsks: z.boolean().default(false),
  /** A question without its mark may have a comma in it. */
  asksWithCommas: z.boolean().default(false),
  /** Short spellings of chats and the words they stand for. */
  spelling: byWord,
  acts,
  promises: promises.default(() => promises.parse({})),
  dealSignals: z.record(z.enum(DEAL_SIGNALS), cues),
  /** Words after which a noun tends to stand. */
  nounLead: words,
  /** Nouns that name no matter of their own, such as where a thing is and to whom it went. */
  everyday: words.default([]),
  /** Words of file names that don't say what the file is. */
  fileWords: words.default([]),
  calendar,
  dates,
  grammar: grammar.nullable(),
  /**
   * Verbs of what is done, a line each: `infinitive: form after "I" ("we") | form of a request | what he does | what is done`.
   * Forms are separated by spaces; `~` marks one that is a promise only where a day is named ("завтра отправляю"),
   * or a participle that says nothing without its "have". A bar in the infinitive (`an|rufen`) marks a separable part.
   */
  verbs: z.array(z.string().regex(/^[^:|]+(\|[^:|]+)?:[^|]*\|[^|]*\|[^|]*\|[^|]*$/u)),
  /** What the kinds of media that people promise are called. */
  media: z.partialRecord(z.enum(MEDIA_KINDS), z.string()),
});

export type LanguageData = z.output<typeof languageData>;
export type PromiseCue = keyof LanguageData['promises'];
export type ActName = keyof LanguageData['acts'];
