const OF_TERMS = ['price', 'discount', 'budget', 'contract', 'renewal', 'cancellation'] as const;
const OF_ORDERS = ['order', 'invoice', 'payment', 'demo', 'delivery'] as const;
/** Changes that a business conversation may announce, in English in every language. */
export const DEAL_SIGNALS = [...OF_TERMS, ...OF_ORDERS, 'competitor'] as const;

const WITH_SPACES = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'uk', 'pl', 'tr', 'it', 'ar', 'he', 'el'] as const;
/** Languages whose stop words are known: a model's words in these can be checked. ISO 639-1. */
export const LANGUAGES = [...WITH_SPACES, 'ja', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Languages in which a model writes for pages and the CRM; null: each conversation's own. */
export type Languages = { pages: Language | null; crm: Language | null };
