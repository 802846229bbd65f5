/** What a business conversation may be about to change. Words of the product, in English in every language. */
export const DEAL_SIGNALS = [
  'price',
  'discount',
  'budget',
  'contract',
  'renewal',
  'cancellation',
  'order',
  'invoice',
  'payment',
  'demo',
  'delivery',
  'competitor',
] as const;

export type DealSignal = (typeof DEAL_SIGNALS)[number];

/** Media as the messenger names them in brackets, by kind. */
export const MEDIA_KINDS = ['photo', 'video', 'voice', 'document', 'sticker', 'location', 'contact', 'poll'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Patterns for the days people name where the date library is silent or wrong. Weekdays start with Monday. */
export type CalendarWords = {
  today: RegExp;
  tomorrow: RegExp;
  dayAfterTomorrow: RegExp;
  /** The end of this working week. */
  endOfWeek: RegExp;
  nextWeek: RegExp;
  endOfMonth: RegExp;
  nextMonth: RegExp;
  weekdays: RegExp[];
  /** January first, as they stand behind the number of the day; only where the date library is of no help. */
  months: RegExp[];
  /** With the groups `count` (digits) or `one`, and `unit` starting with a letter of {@link CalendarWords.units}. */
  inTime: RegExp;
  units: { day: RegExp; week: RegExp; month: RegExp };
  /** What stands before a date and belongs to what was said, such as "by". */
  before: RegExp;
  /** The same behind it, such as the Turkish "kadar". */
  after: RegExp;
};

/** How a summary is put into words. `{who}`, `{to}` and `{topics}` are filled in. */
export type Phrases = {
  asks: string;
  /** For what is to be done, where it differs from asking to know. */
  requests: string;
  promises: string;
  says: string;
  about: string;
  and: string;
  reply: string;
  media: Record<MediaKind, string>;
};

/**
 * What the summariser knows of a language. Every pattern is matched against folded text: lower case, straight
 * apostrophes, single spaces (see `fold`).
 */
export type LanguagePack = {
  /** ISO 639-1 */
  code: string;
  stopwords: ReadonlySet<string>;
  /** Words of greeting, thanks and assent, which carry nothing: a sentence of nothing else is small talk. */
  smallTalk: RegExp;
  /** Fillers that a sentence may begin with and lose nothing without. */
  opening: RegExp;
  /** Begins a question even without a question mark. */
  question: RegExp;
  /** Asks to be told something, however much it sounds like a request to act: any reply settles it. */
  inquiry: RegExp;
  /** Says what somebody wants, needs, plans, decided or suggests: what the talk is for. */
  intent: RegExp;
  /** Begins with a word that points back and is lost without what came before. */
  dangling: RegExp;
  /** The speaker takes something on. */
  promise: RegExp;
  /** The same, but too weak to count unless a date is said with it. */
  promiseWithDate: RegExp;
  request: RegExp;
  requestWithDate: RegExp;
  /** What was asked for or promised is done, or will not be. */
  settled: RegExp;
  urgent: RegExp;
  soon: RegExp;
  positive: RegExp;
  negative: RegExp;
  /** Turns the feeling of the words right after it. */
  negation: RegExp;
  meeting: RegExp;
  introduction: RegExp;
  dealSignals: Record<DealSignal, RegExp>;
  /** Whether nouns that stand side by side are one thing, as in "landing page". */
  phrasesOfNouns: boolean;
  /** Words after which a noun tends to stand: articles, possessives, prepositions. */
  nounLead: ReadonlySet<string>;
  /** Words that by their form are no nouns. */
  notNoun: RegExp;
  calendar: CalendarWords;
  phrases: Phrases;
};
