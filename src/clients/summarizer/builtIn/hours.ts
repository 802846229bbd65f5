import { everywhere } from '../languages/compile.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import { NEAR_MONTH } from '../numberedDays.ts';

/** HH:MM, with its words. `isSure`: it needs no day beside it to be one. */
export type Hour = { time: string; words: string; isSure: boolean };

type Calendar = Lexicon['calendar'];

const HOUR =
  /(?<![\p{L}\p{N}.,:/#+-])([01]?\d|2[0-4])(?:[:.h]([0-5]\d))? ?(am|pm|uhr|h|o'clock|час(?:ов|а)?|утра|вечера|дня|ранку|вечора|годин[иі])?(?![\p{L}\p{N}%:€$£]|[.,/]\d)/giu;

type Forms = { lead: RegExp; clock: RegExp; halfBehind: RegExp; halfNear: RegExp };

/** Made once from a calendar's words. */
const FORMS = new WeakMap<Calendar, Forms>();

function formsOf(calendar: Calendar): Forms {
  const known = FORMS.get(calendar) ?? madeOf(calendar);
  FORMS.set(calendar, known);
  return known;
}

function madeOf({ at, clock, afternoon, noon }: Calendar): Forms {
  const half = `(?:${afternoon.source}|${noon.source})`;
  return {
    lead: new RegExp(`(?:${at.source})$`, 'u'),
    clock: new RegExp(`(?:${clock.source})$`, 'u'),
    // "8 in the evening", "8 wieczorem", and not "3 evening sessions".
    halfBehind: new RegExp(`^ (?:(?:\\p{L}{1,3} ){1,2}${half}|${half}(?=$|[.,!?;؟،]))`, 'u'),
    halfNear: new RegExp(half, 'u'),
  };
}

/** "Alle 3 persone", "até 10 caixas", "sabah 20 adet". */
const THINGS =
  /^ (?:person\p{L}{1,4}|pessoas?|osób|osoby|kişi|adet|tane|gece|euros?|reais|lira|ann[io]|anos?|ans?|yıl|mes[ei]s?|mois|giorn[io]|dias?|jours?|gün|settiman[ae]|semanas?|semaines?|hafta|pezz[io]|peças?|pièces?|bottigli[ae]|scatol[ae]|caixas?|cartons?|copi[ae]s?|cópias?|volte|vezes|fois|kez)(?!\p{L})/u;

/** "До 30-го", "к 15 числу", "до 20 октября", "в 3 этапа": the number is no hour. */
function isCounted(behind: string): boolean {
  return (
    /^-\p{L}|^ (?:числ|тыс|руб|грн|zł|tys|шт|раз|этап|мин|дн|тиж|місяц|недел|меся|proc|szt|%)/u.test(behind) ||
    THINGS.test(behind) ||
    NEAR_MONTH.test(/^\.? \p{L}{1,12}/u.exec(behind)?.[0] ?? '')
  );
}

/** Hours in words need a part of the day or a day before them: 一点 is also "a bit". */
const UNSPACED_HOUR: Record<string, RegExp> = {
  ja: /(午前|午後|夕方|夜|晩|朝)?([01]?\d|2[0-4])(?::([0-5]\d)|時(?![間代]|[（(]?\p{L}{1,5}時間)(?:([0-5]?\d)分|(半))?)/u,
  zh: /(早上|上午|中午|下午|傍晚|晚上|今晚|明晚)?([01]?\d|2[0-4]|(?<=[上午晚周星期天日][一二三四五六日天]?)[一二两三四五六七八九十]{1,3})(?::([0-5]\d)|[点點时](?!间)(?:([0-5]?\d)分|(半))?)/u,
};

/** "午後3時", "下午3点半"; none where it is that of another time zone: "17時(日本時間)". */
function unspacedHour(folded: string, { code, calendar }: Lexicon): Hour | null {
  const found = UNSPACED_HOUR[code]?.exec(folded);
  if (!found) return null;
  const [words, part = '', hours = '', colon, minutes, half] = found;
  const hour = numberOf(hours) % 24;
  const minute = colon ?? minutes ?? (half ? '30' : '0');
  return { time: clockTime(hour, minute, isLate(hour, part, calendar)), words, isSure: true };
}

const DIGITS = '一二三四五六七八九';

/** "8", "八", "十一" */
function numberOf(hours: string): number {
  if (/\d/.test(hours)) return Number(hours);
  const [tens, ones = ''] = hours.includes('十') ? hours.split('十') : ['', hours];
  const digit = (one: string) => (one === '两' ? 2 : DIGITS.indexOf(one) + 1);
  return (hours.includes('十') ? 10 * (tens ? digit(tens) : 1) : 0) + (ones ? digit(ones) : 0);
}

/** In the second half of the day: at eight in the evening, at one around noon. */
function isLate(hour: number, around: string, { afternoon, noon }: Calendar): boolean {
  return hour < 12 && (afternoon.test(around) || (hour <= LATEST_NOON && noon.test(around)));
}

const LATEST_NOON = 4;

function clockTime(hour: number, minutes: string, isAfternoon: boolean): string {
  return `${`${isAfternoon && hour < 12 ? hour + 12 : hour}`.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

/** "10'da": the Turkish ending for "at" or "by" an hour. */
const IN_IT = /^'(?:[dt][ae]|y[ae] kadar)(?!\p{L})/u;

/** The hour that a folded text names; none of another time zone. A bare number is an hour only after "at" and the like. */
export function hourOf(folded: string, lexicon: Lexicon): Hour | null {
  const isUnspaced = Object.hasOwn(UNSPACED_HOUR, lexicon.code);
  const numbered = /\d/.test(folded) || isUnspaced;
  const hour = !numbered ? null : isUnspaced ? unspacedHour(folded, lexicon) : spacedHour(folded, lexicon);
  return hour ?? noonIn(folded, lexicon);
}

function spacedHour(folded: string, { calendar, dates }: Lexicon): Hour | null {
  const { lead: leads, clock, halfBehind, halfNear } = formsOf(calendar);
  for (const match of folded.matchAll(HOUR)) {
    const [words, hours = '', minutes, mark] = match;
    const before = folded.slice(Math.max(0, match.index - 30), match.index).trimEnd();
    const behind = folded.slice(match.index + words.length);
    const lead =
      leads.exec(before)?.[0] ?? (dates.hourAfterDay && minutes === undefined ? dayBefore(before, hours) : undefined);
    const isLed = clock.test(before);
    const separator = folded[match.index + hours.length] ?? '';
    const isClock = minutes !== undefined && (/[:h]/.test(separator) || IN_IT.test(behind));
    const half = isCounted(behind) ? undefined : halfBehind.exec(behind)?.[0];
    const isMarked = half !== undefined || /^(?:am|pm|uhr|h|o'clock)$/.test(mark ?? '');
    if (!lead && !isClock && !IN_IT.test(behind) && !isMarked) continue;
    if (isCounted(behind) || calendar.zone.test(behind.slice(0, LONGEST_ZONE))) continue;
    const hour = Number(hours) % 24;
    const around = `${before} ${behind.slice(0, 20)}`;
    const isAfternoon =
      /^(?:pm|вечера|вечора|дня)$/.test(mark ?? '') ||
      (mark !== 'am' && halfNear.test(around) && isLate(hour, around, calendar)) ||
      isOfficeHour(words);
    const isSure = isClock || isLed || mark !== undefined || half !== undefined;
    const time = clockTime(hour, minutes ?? '00', isAfternoon);
    return { time, words: [lead, words.trim()].filter(Boolean).join(' '), isSure };
  }
  return null;
}

const LONGEST_ZONE = 16;

/** "At noon", and not "in the afternoon". */
function noonIn(folded: string, { calendar }: Lexicon): Hour | null {
  if (!calendar.noon.test(folded)) return null;
  const noon = calendar.noon.exec(folded.replaceAll(everywhere(calendar.afternoon), words => ' '.repeat(words.length)));
  return noon && { time: '12:00', words: noon[0], isSure: true };
}

/** "By 5", "at 3" without more: no one works at five in the morning. */
function isOfficeHour(words: string): boolean {
  return /^[1-5]$/.test(words.trim());
}

/** "Saturday 10?": the hour, where "Saturday 14" is a date. */
function dayBefore(before: string, hours: string): string | undefined {
  return Number(hours) <= 12 ? /(?<!\p{L})(?:\p{L}{3,6}day|tomorrow|today)$/u.exec(before)?.[0] : undefined;
}
