/**
 * What people say for days that no calendar's data names, by language, as patterns over {@link plain} text. `number`: a
 * day of the month by its number alone, in its first group.
 */
export type SaidWords = Partial<
  Record<'before' | 'tomorrow' | 'weekend' | 'endOfWeek' | 'endOfMonth' | 'nextWeek' | 'number', string>
>;

/** In front of what else stands there, a number of a day: "el 28", and no "el 28%". */
const ALONE = '(?![\\p{L}\\p{N}:%€$£°]|[.,]\\d|\\s?[%€$£°]|\\s?(?:h|kg|m|km|cm|euros?|eur)(?!\\p{L}))';

export const SAID_WORDS: Record<string, SaidWords> = {
  en: {
    before: 'before',
    endOfWeek: 'end of (?:the )?week|eow',
    endOfMonth: 'end of (?:the )?month|month end|eom',
    number:
      '(?:on|by|before|until|til|for) the (\\d{1,2})(?=\\s*(?:[,;!?)]|\\.?$|\\. |(?:at|then|please|is|works|or|and)\\b))',
  },
  de: {
    before: 'vor',
    weekend: 'wochenende',
    endOfWeek: 'ende der woche|wochenschluss',
    endOfMonth: 'monatsende|ende des monats',
    nextWeek: 'nachste[rn]? woche|kommende[rn]? woche',
  },
  es: {
    before: 'antes del?',
    weekend: 'fin(?:de)? de semana|finde',
    endOfMonth: 'fin(?:es)? de mes',
    nextWeek: 'semana (?:que|q) viene',
    number: `(?:el|del) (\\d{1,2})${ALONE}`,
  },
  fr: {
    before: 'av(?:ant)?\\.?',
    weekend: 'week-?end',
    endOfWeek: 'fin (?:de|de la) semaine',
    endOfMonth: 'fin (?:de|du) mois',
    number: `le (\\d{1,2})${ALONE}`,
  },
  it: {
    before: "prima d(?:i|el|ella|ell')",
    tomorrow: 'domattina',
    weekend: 'week-?end|fine settimana',
    endOfMonth: 'fine (?:del )?mese',
    number: `(?:il|entro il) (\\d{1,2})${ALONE}`,
  },
  pt: {
    before: 'antes d[eao]',
    weekend: 'fim de semana|final de semana|fds',
    endOfMonth: '(?:fim|final) do mes',
    nextWeek: 'semana que vem',
  },
  nl: { before: 'voor', weekend: 'weekend', endOfWeek: 'eind van de week', number: `de (\\d{1,2})d?e${ALONE}` },
  sv: { before: 'fore|innan', weekend: 'helgen' },
  pl: {
    before: 'przed',
    tomorrow: 'jutra',
    weekend: 'weekend',
    endOfWeek: 'konca tygodnia',
    endOfMonth: 'konca miesiaca',
  },
  cs: { before: 'pred', weekend: 'vikend' },
  ro: { before: 'inainte de', weekend: 'week-?end' },
  ru: {
    before: 'перед',
    weekend: 'выходных|выходные',
    endOfWeek: 'конца недели|конце недели',
    endOfMonth: 'конца месяца|конце месяца',
    nextWeek: 'след\\.? недел[еию]',
    number: '(\\d{1,2})\\s?-?(?:го|му|ого|ому)(?!\\p{L})',
  },
  uk: {
    before: 'перед',
    weekend: 'вихідних|вихідні',
    endOfWeek: 'кінця тижня|кінці тижня',
    endOfMonth: 'кінця місяця|кінці місяця',
    number: '(\\d{1,2})\\s?-?(?:го|му|ого|ому)(?!\\p{L})',
  },
  tr: { weekend: 'hafta ?sonu(?:na|nda)?', endOfMonth: 'ay ?sonu(?:na|nda)?' },
  el: { before: 'πριν (?:απο )?(?:τη|την|το|τον)?', weekend: 'σαββατοκυριακο' },
  he: { before: 'לפני', weekend: 'סופ"?ש|סוף (?:ה)?שבוע' },
  ar: { before: 'قبل', tomorrow: 'بكر[اةه]|غدوة', weekend: 'نهاية الاسبوع' },
  ja: { weekend: '週末', endOfMonth: '月末' },
  zh: { weekend: '周末', endOfMonth: '月底' },
};
