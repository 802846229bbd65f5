import { z } from 'zod';
import { calendar } from './calendar.ts';
import { byWord, cues, words } from './cues.ts';
import { DEAL_SIGNALS, MEDIA_KINDS } from './types.ts';

/** What people do with a sentence, by the words they use for it. */
const acts = z.strictObject({
  /** Greetings, thanks and yeses: a sentence of nothing else is small talk. */
  smallTalk: cues,
  /** Fillers that a sentence may begin with and lose nothing without. */
  opening: cues,
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
  /** Some day, maybe: kind words that bind no one. */
  vague: cues,
  /** Holds only when something else happens: "if", "in case". */
  condition: cues,
  /** Asks for someone without saying whom. */
  someone: cues,
  /** Asks all of a group, each for their own part. */
  everyone: cues.default([]),
  /** Puts forward something to do together. */
  proposes: cues,
  /** Asks someone to come, also where no day is named. */
  invites: cues.default([]),
  /** Asks once more for what is owed: "any news?" */
  asksAgain: cues.default([]),
  /** Says what the speaker needs from the other side. */
  needs: cues,
  urgent: cues,
  /** Takes the hurry out of what it is said of. */
  noHurry: cues.default([]),
  /** Says that no answer is an answer. */
  noReply: cues.default([]),
  /** Behind a deadline: what happens when it passes. */
  consequence: cues.default([]),
  /** Threatens to leave, to cancel, not to pay, or to go to law. */
  threat: cues,
  /** Something is down or stands still. */
  outage: cues,
  positive: cues,
  /** Thanks and kind words of every day: many of them make a good mood, a few are politeness. */
  polite: cues.default([]),
  negative: cues,
  /** What is said on hearing bad news: "oh no"; `delight`: on good. */
  dismay: cues.default([]),
  delight: cues.default([]),
  /** Turns the feeling of the words right after it. */
  negation: cues,
  meeting: cues,
  introduction: cues,
  /** Says that something is decided, agreed or changed. */
  decides: cues,
});

/** What becomes of a promise on a later day. */
const promises = z.strictObject({
  /** Done, whatever it was. */
  generic: cues.default([]),
  /** Beside `acts.done`: said of things that went out, or were done before. */
  kept: cues.default([]),
  /** Beside `acts.received`: the one to whom it was promised has it. */
  arrived: cues.default([]),
  /** No longer needed, or not to be. */
  dropped: cues.default([]),
  /** "Not needed yet", "not before Friday": what is dropped for now is not dropped. */
  notNow: cues.default([]),
  /** On another day instead. */
  postponed: cues.default([]),
  /** Still to come, in part, on a condition, or thanked for in advance: whatever else is said, it is not done. */
  pending: cues.default([]),
  /** "Yesterday", "in the drive": when it was done and where it is say nothing of what it was. */
  lately: cues.default([]),
  /** Asks whether something has been done: a yes says that it has. */
  whether: cues.default([]),
  /** Says yes to whether something is done; "ok" and "sure" only promise it once more. */
  yes: cues.default([]),
  /** Thanks, or found to work, for what was just said to be done. */
  thanks: cues.default([]),
  /** Only a part of what was promised, or only a step on the way. */
  partial: cues.default([]),
  /** Something is not as it should be: "but", "broken", "the old one". */
  flawed: cues.default([]),
  /** "And": joins two things of which each was promised. */
  joins: cues.default([]),
  /** Where a third person has yet to do it: "with our lawyer", "for signature". */
  elsewhere: cues.default([]),
  /** Of the promise: tells it from an earlier version, which is not what was promised ("the updated quote"). */
  versions: cues.default([]),
  /** Words of handing over, in every form; of paying and so on: "paid" keeps no promise to send. */
  sends: cues.default([]),
  pays: cues.default([]),
  signs: cues.default([]),
  calls: cues.default([]),
  books: cues.default([]),
  tells: cues.default([]),
  approves: cues.default([]),
  reviews: cues.default([]),
  repairs: cues.default([]),
  opens: cues.default([]),
  /** Whoever was to get access has it. */
  entered: cues.default([]),
  /** "Will be": says how something is to be, not that it is still to be done. */
  states: cues.default([]),
});

/**
 * How the language builds the few sentences that are put into other words; null where nothing is known of it. Where `verbs` is
 * empty, `ask`, `owes`, `takesOn` and `handsOver` alone tell who takes on what, and it is told in the words that were said.
 */
const grammar = z.strictObject({
  /** The verb of a task stands last, as in "den Vertrag schicken". */
  verbLast: z.boolean().default(false),
  /** So does what he or she does, as in Turkish. */
  doesLast: z.boolean().default(false),
  /** Verbs in the first person need one of `subjects` beside them; else their form alone tells who speaks. */
  needsSubject: z.boolean().default(false),
  /** A request in the imperative begins with its verb; else the form may stand anywhere. */
  imperativeFirst: z.boolean().default(false),
  /** Said before a verb by who takes something on; dropped. */
  subjects: words.default([]),
  /** "I will", "we are going to": makes a promise of the infinitive behind it. */
  will: cues.default([]),
  /** "I can", "I must": the same, weaker. */
  can: cues.default([]),
  /** "I can": an offer, which binds when it is accepted or has a day. */
  offers: cues.default([]),
  /** "Shall I": a question with it offers what the verb behind it says. */
  shall: cues.default([]),
  /** Endings of what is sent, paid, signed, and what its word ends with by itself, for topics: "смету" is "смета". */
  nominative: byWord.default({}),
  /** Verbs with whom they are for beside them: no topic. */
  toPersons: words.default([]),
  /** Endings of other cases, which are left out of topics. */
  oblique: words.default([]),
  /** Words of a "no" that deny nothing: "without fail", "no problem". */
  assures: cues.default([]),
  /** Endings of "I will", and of the infinitive: "aré" is of "ar". */
  futures: byWord.default({}),
  /** Endings of infinitives, for verbs that the table lacks. */
  infinitives: words.default([]),
  /** "You will have it", "it will be ready": the speaker is to hand something over, without a verb of the table. */
  handsOver: cues,
  /** "Leave it to me": the speaker takes on what is named, without a verb of the table. */
  takesOn: cues.default([]),
  /** "That's on you": the same for the one spoken to. */
  owes: cues.default([]),
  /** "Can you", "please": makes a request of the infinitive or imperative behind it. */
  ask: cues,
  /** Behind an infinitive it makes a formal request, as in "schicken Sie". */
  formal: words.default([]),
  /** Stand before `me` and `you` and are dropped with them: "from you". */
  prepositions: words.default([]),
  /** Words that a task loses nothing without: "please", "mal". */
  particles: words.default([]),
  /** Verbs that say all they need alone: "call back". */
  whole: words.default([]),
  /** "And" between two verbs of one task. */
  and: words.default([]),
  /** Two verbs in one form may stand side by side without an "and": "заеду подпишу". */
  serial: z.boolean().default(false),
  /** "L'envoie" is two words. */
  elides: z.boolean().default(false),
  /** Make a reflexive verb of the verb beside them; such a verb is listed with its "sich". */
  reflexives: words.default([]),
  /** Pronouns that join the verb before them: "mándame", "enviártelo". */
  enclitics: words.default([]),
  /** Stands right before an infinitive and goes with it, as "zu". */
  infinitiveMark: z.string().optional(),
  /** Words that become one when they meet: "de le" is "du". */
  contractions: byWord.default({}),
  /** Begin a clause that may stay in a task as it is: "if", "that". */
  subordinators: words.default([]),
  /** Ways and times that leave open what is meant: "by mail", "later". */
  manner: cues.default([]),
  /**
   * "It" and "them" before a verb: how they stand with the infinitive (`{verb}`, `{stressed}`) and with what he or she does, then
   * both once more for when a person is named beside them: "mandárselo", "se lo manda".
   */
  objects: z.record(z.string(), z.tuple([z.string(), z.string()]).rest(z.string())).default({}),
  /** What he or she does tells what will be: "приедет", "enviará". */
  tellsFuture: z.boolean().default(false),
  /** "I have": makes what is done of the participle that comes with it. */
  have: words.default([]),
  /** Verbs whose person stands without a preposition: "appeler Nora", where "à Nora" is what others take. */
  direct: words.default([]),
  /** Verbs of looking: behind what was done they ask for nothing to remember: "Sent it, have a look". */
  looks: words.default([]),
  /** Behind "you" they mean more than the one spoken to: "à vous deux". */
  several: words.default([]),
  /** Stand for what was said before: "about it". */
  pointsBack: cues.default([]),
  /** Phrases whose verbs take nothing on: "trato hecho". */
  idioms: cues.default([]),
  /** The forms of what is done tell that it is over, without a "have". */
  pastTells: z.boolean().default(false),
  /** What he or she has done, of `{done}` (the first such form of the verb) and `{rest}`; left out where the past has a gender. */
  did: z.string().optional(),
  /** Words for the speaker and the one spoken to, and what stands for them in a task: `{name}` is filled in, '' drops them. */
  me: byWord.default({}),
  you: byWord.default({}),
  /** "My" and "your", as they read in a task of the one who owns the thing. */
  own: byWord.default({}),
});

const phrases = z.strictObject({
  /** `{who}` speaks, `{to}` is spoken to, `{quote}` is what was said in quotation marks, `{task}` a task. */
  says: z.string(),
  asks: z.string(),
  requests: z.string(),
  /** Where the infinitive can follow the verb of asking: "{who} asks to {task}". */
  requestsTask: z.string().optional(),
  answers: z.string(),
  declines: z.string(),
  done: z.string(),
  reply: z.string(),
  /** A day and an hour that both agreed to. */
  meets: z.string(),
  with: z.string(),
  since: z.string(),
  left: z.string(),
  and: z.string(),
  media: z.record(z.enum(MEDIA_KINDS), z.string()),
});

export const languageData = z.strictObject({
  /** ISO 639-1 */
  code: z.string().length(2),
  quotes: z.tuple([z.string(), z.string()]),
  /** Ends a sentence. */
  stop: z.string().default('.'),
  /** Short spellings of chats and the words they stand for. */
  spelling: byWord,
  acts,
  promises: promises.default(() => promises.parse({})),
  dealSignals: z.record(z.enum(DEAL_SIGNALS), cues),
  /** Words after which a noun tends to stand, and endings that no noun has. */
  nounLead: words,
  notNoun: words,
  calendar,
  grammar: grammar.nullable(),
  /**
   * Verbs of tasks, a line each: `infinitive: what I (we) say | what is asked of you | what he or she does | what is done`.
   * Forms are separated by spaces; `~` marks one that takes something on only where a day is named ("завтра отправляю"),
   * or a participle that tells nothing without its "have". A bar in the infinitive (`an|rufen`) marks a part that stands apart in other forms.
   */
  verbs: z.array(z.string().regex(/^[^:|]+(\|[^:|]+)?:[^|]*\|[^|]*\|[^|]*\|[^|]*$/u)),
  phrases,
});

export type LanguageData = z.output<typeof languageData>;
export type PromiseCue = keyof LanguageData['promises'];
export type ActName = keyof LanguageData['acts'];
