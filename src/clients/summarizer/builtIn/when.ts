import { Temporal } from 'temporal-polyfill';
import { fold } from '../cleaning.ts';
import type { Sentence } from '../conversation.ts';
import { findDay } from '../dueDates.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import { NEAR_MONTH } from '../numberedDays.ts';

/** A named day, YYYY-MM-DD, with the hour (HH:MM) if said. `isHour`: only that was said; the day is the message's. */
export type When = { date: string; time: string | null; words: string; isHour?: boolean };

type Hour = { time: string; words: string; isSure: boolean };

const HOUR =
  /(?<![\p{L}\p{N}.,:/#+-])([01]?\d|2[0-4])(?:[:.h]([0-5]\d))? ?(am|pm|uhr|h|o'clock|час(?:ов|а)?|утра|вечера|дня|ранку|вечора|годин[иі])?(?![\p{L}\p{N}%:€$£]|[.,/]\d)/giu;

/** The day and hour of a sentence, counted from when it was said; null when neither is named. */
export function whenOf(
  { utterance }: { utterance: Pick<Sentence['utterance'], 'sentAt'> },
  spelled: string,
  lexicon: Lexicon,
  timezone: string,
): When | null {
  const folded = fold(spelled, lexicon.code);
  const hour = hourOf(folded, lexicon);
  const time = hour?.time ?? null;
  const day = findDay(spelled.replace(GREETING, ' '), lexicon, utterance.sentAt, timezone);
  if (day && !NO_DAY.test(day.words) && !isOfLength(folded, day.words))
    return { date: day.date, time, words: day.words };
  if (!hour?.isSure) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(utterance.sentAt.getTime()).toZonedDateTimeISO(timezone);
  const isToCome = Temporal.PlainTime.compare(Temporal.PlainTime.from(hour.time), now.toPlainTime()) > 0;
  return isToCome ? { date: now.toPlainDate().toString(), time, words: hour.words, isHour: true } : null;
}

/** "Guten Morgen" doesn't mean tomorrow. */
const GREETING = /\bguten (?:morgen|abend)\b|^morgen!/giu;

/** "In a sec" names no day. */
const NO_DAY =
  /^(?:after|since|nach|seit|después|desde|après|depuis|после|після|depois|po) (?!de amanhã|demain|обеда|обіду|południu|le déj|comer|do almoço|feierabend)|^(?:день|неделю|месяц|тиждень|місяць|día|semana|tag|woche)$|\b(?:one|some|any) ?day\b|\b(?:a|one|two) ?(?:sec|second|min|minute|moment|mo|bit)s?\b|\b(?:few|couple of|several|some|coming|nächsten|paar|próximos|unos|pocos|prochains|quelques|alguns|prossimi|alcuni|qualche|najbliższych|kilka) (?:days|weeks|months|tage[n]?|wochen|días|dias|jours|giorni|dni|semanas|semaines)\b|ближайшие|ближайшее|найближч|несколько|кілька|на днях|birkaç/iu;

/** "7 days' notice", "a 2 day trip": a duration, not a day. */
function isOfLength(folded: string, words: string): boolean {
  const at = folded.indexOf(words.toLowerCase());
  return (
    at >= 0 &&
    /^'(?=s|\P{L}|$)|^ (?:notice|trial|trip|project|job|course|holiday|term)/u.test(folded.slice(at + words.length))
  );
}

const LEADS = new WeakMap<RegExp, RegExp>();

function leadOf(pattern: RegExp): RegExp {
  const lead = LEADS.get(pattern) ?? new RegExp(`(?:${pattern.source})$`, 'u');
  LEADS.set(pattern, lead);
  return lead;
}

/** "Alle 3 persone", "até 10 caixas", "sabah 20 adet". */
const THINGS =
  /^ (?:person\p{L}{1,4}|pessoas?|kişi|adet|tane|euros?|reais|lira|ann[io]|anos?|ans?|yıl|mes[ei]s?|mois|giorn[io]|dias?|jours?|gün|settiman[ae]|semanas?|semaines?|hafta|pezz[io]|peças?|pièces?|bottigli[ae]|scatol[ae]|caixas?|cartons?|copi[ae]s?|cópias?|volte|vezes|fois|kez)(?!\p{L})/u;

/** "До 30-го", "к 15 числу", "до 20 октября", "в 3 этапа": the number is no hour. */
function isCounted(behind: string): boolean {
  return (
    /^-\p{L}|^ (?:числ|тыс|руб|грн|zł|tys|шт|раз|этап|мин|дн|тиж|місяц|недел|меся|%)/u.test(behind) ||
    THINGS.test(behind) ||
    NEAR_MONTH.test(/^\.? \p{L}{1,12}/u.exec(behind)?.[0] ?? '')
  );
}

const UNSPACED_HOUR: Record<string, RegExp> = {
  ja: /(午前|午後|夜)?([01]?\d|2[0-4])(?::([0-5]\d)|時(?![間代]|[（(]?\p{L}{1,5}時間)(?:([0-5]?\d)分|(半))?)/u,
  zh: /(早上|上午|中午|下午|晚上)?([01]?\d|2[0-4])(?::([0-5]\d)|[点點时](?!间)(?:([0-5]?\d)分|(半))?)/u,
};

/** "午後3時", "下午3点半"; none where it is that of another time zone: "17時(日本時間)". */
function unspacedHour(folded: string, code: string): Hour | null {
  const found = UNSPACED_HOUR[code]?.exec(folded);
  if (!found) return null;
  const [words, part = '', hours, colon, minutes, half] = found;
  const hour = Number(hours) % 24;
  const isAfternoon = /午後|夜|下午|晚上/.test(part) && hour < 12;
  const minute = colon ?? minutes ?? (half ? '30' : '0');
  return {
    time: `${`${isAfternoon ? hour + 12 : hour}`.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    words,
    isSure: true,
  };
}

/** "10'da": the Turkish ending for "at" or "by" an hour. */
const IN_IT = /^'(?:[dt][ae]|y[ae] kadar)(?!\p{L})/u;

/** A bare number is an hour only after "at" and the like. */
export function hourOf(folded: string, { calendar, code, dates }: Lexicon): Hour | null {
  if (!/\d/.test(folded)) return null;
  if (Object.hasOwn(UNSPACED_HOUR, code)) return unspacedHour(folded, code);
  for (const match of folded.matchAll(HOUR)) {
    const [words, hours = '', minutes, mark] = match;
    const before = folded.slice(Math.max(0, match.index - 30), match.index).trimEnd();
    const behind = folded.slice(match.index + words.length);
    const lead =
      leadOf(calendar.at).exec(before)?.[0] ??
      (dates.hourAfterDay && minutes === undefined ? dayBefore(before, hours) : undefined);
    const isLed = leadOf(calendar.clock).test(before);
    const separator = folded[match.index + hours.length] ?? '';
    const isClock = minutes !== undefined && (/[:h]/.test(separator) || IN_IT.test(behind));
    if (!lead && !isClock && !IN_IT.test(behind) && !/^(?:am|pm|uhr|h|o'clock)$/.test(mark ?? '')) continue;
    if (isCounted(behind)) continue;
    const hour = Number(hours) % 24;
    const around = `${before} ${behind.slice(0, 20)}`;
    const isAfternoon =
      /^(?:pm|вечера|вечора|дня)$/.test(mark ?? '') || calendar.afternoon.test(around) || isOfficeHour(words);
    const time = `${`${isAfternoon && hour < 12 ? hour + 12 : hour}`.padStart(2, '0')}:${minutes ?? '00'}`;
    const isSure = isClock || isLed || mark !== undefined;
    return { time, words: [lead, words.trim()].filter(Boolean).join(' '), isSure };
  }
  return null;
}

/** "By 5", "at 3" without more: nobody works at five in the morning. */
function isOfficeHour(words: string): boolean {
  return /^[1-5]$/.test(words.trim());
}

/** "Saturday 10?": the hour, where "Saturday 14" is a date. */
function dayBefore(before: string, hours: string): string | undefined {
  return Number(hours) <= 12 ? /(?<!\p{L})(?:\p{L}{3,6}day|tomorrow|today)$/u.exec(before)?.[0] : undefined;
}
