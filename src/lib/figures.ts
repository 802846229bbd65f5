/** Sums, shares and hours in people's writing. */

export const MONEY =
  /(?:[€$£¥₴₽]|r\$)\s?\p{Nd}|\p{Nd}(?:[\p{Nd}., ]{0,12}\p{Nd})?\s?(?:k\s?)?(?:[€$£¥₴₽]|eur\b|euros?\b|usd\b|gbp\b|pounds?\b|dollars?\b|евро|руб|тыс|грн|zł|ευρώ|يورو|美元)/iu;
/** A discount, a commission, a down payment. */
export const SHARE = /\p{Nd}\s?[%٪]/u;
export const CLOCK = /\b(?:[01]?\d|2[0-3])(?:[:.][0-5]\d|\s?(?:uhr|am|pm|h)\b)/iu;
