/** Changes that a business conversation may announce, in English in every language. */
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

/** Languages in which a model writes for pages and the CRM; null: each conversation's own. */
export type Languages = { pages: Language | null; crm: Language | null };
