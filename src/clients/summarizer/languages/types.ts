/** What a business conversation may be about to change. The product's own words, in English in every language. */
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

/** Languages whose stop words are known: a model's words in these can be checked. ISO 639-1. */
export const LANGUAGES = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
  'ru',
  'uk',
  'pl',
  'tr',
  'it',
  'ar',
  'he',
  'el',
  'ja',
  'zh',
] as const;

export type Language = (typeof LANGUAGES)[number];

/** In which languages a model writes for pages and for the CRM; null: in each conversation's own. */
export type Languages = { pages: Language | null; crm: Language | null };
