import { ara, deu, ell, eng, fra, heb, ita, pol, por, rus, spa, tur, ukr } from 'stopword';
import { dayAfter, dayBefore, mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { wordsIn } from '../../digests/rules.ts';
import type { Days } from './schema.ts';

const set = (words: string) => new Set(wordsIn(words));

/** Words that say nothing about a matter, by language, folded as the search folds. */
const STOPWORDS = [ara, deu, ell, eng, fra, heb, ita, pol, por, rus, spa, tur, ukr].map(
  words => new Set(words.flatMap(wordsIn)),
);

/** What questions are made of, in whatever language: verbs of saying, wanting and owing, and what asks for a fact. */
const ASKING = set(`
  what when where who whom whose which why how much many long list did does do is was were are will would should could can have has get got
  gets say said says tell told mention mentioned ask asked asks want wanted wants need needs needed agree agreed promise promised
  promises owe owes owed still about happen happened happens know regarding cost costs price deadline date time day due please s t mr mrs ms dr sir
  was lange wann wer wem wen wessen wo wohin wie warum welche welcher welches viel viele hat haben habe hatte wird werden will wollen
  wollte sagt sagte gesagt braucht brauche muss soll schulde schuldet schulden versprochen zugesagt kostet kosten preis bis mir
  uhr termin vereinbart ausgemacht bekomme bekommt kriege schicken schicke steht rein mit dem frau herr pro
  que quien quienes cuando cuanto cuanta cuantos donde como cual cuales por dijo dice pidio quiere necesita debo debe deben
  prometio cuesta cuestan sale precio acordamos acordado hora fecha vence es son el la me le senor senora don
  quoi qui quand combien ou comment pourquoi quel quelle quels quelles dit demande veut besoin dois doit promis promet coute prix
  heure date est ce qu je convenu fait monsieur madame mme
  что кто кому когда сколько где как почему какой какая какие какую сказал сказала говорил просил просила хочет хотел нужно надо
  должен должна обещал обещала стоит стоят цена цену срок договорились будет мне мы я во у от
  che chi quanto quando dove come quale detto vuole chiesto promesso costa prezzo devo deve
  quem quanto quando onde qual disse pediu quer precisa prometeu custa preco devo deve combinamos
  kto co kiedy ile gdzie jak jaki mowil chce potrzebuje obiecal kosztuje cena
  хто що коли скільки де як казав хоче треба обіцяв коштує ціна
  kim ne zaman nerede nasil kac kadar dedi istiyor soz verdi fiyat
  ποιος τι ποτε ποσο που ειπε θελει υποσχεθηκε τιμη`);

/** What kind of number is asked for, and what it is counted by: the answer names the number. Beside what asks, no matter. */
const NUMBERS = set(`
  amount sum total fee fees charge charges charged rate salary wage settle settled unit piece head person
  betrag summe gebuhr honorar satz gehalt lohn geeinigt stuck kopf person nase
  importe monto suma tarifa honorarios sueldo salario quedamos quedado unidad pieza persona
  montant somme tarif frais honoraires salaire piece personne unite tete
  сумма сумму ставка ставку оклад зарплата штуку штука человека
  importo somma tariffa stipendio pezzo persona valor taxa salario peca pessoa kwota stawka sztuka osoba`);

/** The words of a question that say what it is about. */
export function mattersOf(words: readonly string[]): string[] {
  const counts = STOPWORDS.map(list => words.filter(word => list.has(word)).length);
  const most = Math.max(...counts);
  const lists = most > 0 ? STOPWORDS.filter((_, n) => counts[n] === most) : [];
  const isEmpty = (word: string) => ASKING.has(word) || NUMBERS.has(word) || lists.some(list => list.has(word));
  return [...new Set(words)].filter(word => !isEmpty(word) && !/^\p{Script=Latin}$/u.test(word)).slice(0, MOST_WORDS);
}

const MOST_WORDS = 8;

const phrases = (text: string) => text.split(',').map(phrase => ` ${wordsIn(phrase).join(' ')} `);
const hasAny = (said: string, list: readonly string[]) => list.some(phrase => said.includes(phrase));

const WHEN =
  phrases(`when, what time, which day, what day, what date, deadline, how long until, wann, welchem tag, um wie viel uhr,
  cuando, a que hora, que dia, quand, a quelle heure, quel jour, когда, во сколько, в какой день, к какому, quando, a che ora, kiedy, o ktorej,
  коли, о котрій, ne zaman, saat kacta, πότε, متى, מתי`);
const HOW_MUCH =
  phrases(`how much, how many, how long, cost, costs, price, salary, rate, fee, fees, charge, charged, amount, betrag, summe, gehalt, honorar,
  importe, monto, tarifa, sueldo, montant, tarif, salaire, сумма, сумму, ставка, зарплата, importo, tariffa, wie viel, wieviel, wie viele, wie hoch, kostet, kosten,
  preis, cuanto, cuanta, cuantos, cuantas, cuesta, precio, combien, coute, prix, сколько, стоит, цена, почем, quanto, quanti, costa, prezzo,
  quantos, custa, preco, ile, kosztuje, cena, скільки, коштує, ціна, kac, ne kadar, fiyat, πόσο, πόσα, τιμή, كم, כמה`);

/** @param said the folded words of the question between spaces */
export function factOf(said: string): 'when' | 'howMuch' | 'any' {
  if (hasAny(said, WHEN)) return 'when';
  return hasAny(said, HOW_MUCH) ? 'howMuch' : 'any';
}

const MINE =
  phrases(`i owe, i still owe, do i have to, did i promise, i promised, from me, waiting for me, i need to, should i send, must i send,
  schulde ich, muss ich, soll ich, von mir, ich versprochen, ich zugesagt, schicke ich, le debo, les debo, te debo, debo, tengo que, de mi,
  prometi, dois je, je dois, ai je promis, j ai promis, de moi, я должен, я должна, я обещал, я обещала, я пришлю, от меня,
  devo, ho promesso, da me, eu devo, eu prometi, de mim, jestem winien, ode mnie, я винен, від мене`);
const THEIRS =
  phrases(`owe me, owes me, owed me, promised me, promise me, who promised, did promise, do i get, will i get, am i getting, schuldet mir,
  mir versprochen, bekomme ich, kriege ich, me debe, me deben, me prometio, me paga, me manda, me doit, m a promis, мне должен,
  мне должна, мне обещал, обещал мне, обещала мне, кто обещал, mi deve, me deve, mi ha promesso, me prometeu`);
const PROMISED = phrases(
  `promise, promised, versprochen, zugesagt, prometio, promis, обещал, обещала, promesso, prometeu, obiecal, обіцяв`,
);

/** @param said the folded words of the question between spaces */
export function directionOf(said: string): 'mine' | 'theirs' | undefined {
  if (hasAny(said, THEIRS)) return 'theirs';
  if (hasAny(said, MINE)) return 'mine';
  return hasAny(said, PROMISED) ? 'theirs' : undefined;
}

const OPENERS =
  set(`what when where who whom whose which why how did does do is was will has have wann wer was wem wen wo wie warum
  welche welcher welches hat que quien cuando cuanto cuantos donde como cual qui quand combien quoi quel quelle pourquoi comment что кто когда
  сколько где как почему какой какая chi che quando quanto dove quem qual onde kto kiedy ile gdzie хто що коли скільки ποιος ποτε ποσο
  متى كم من מתי כמה מי kim`);
/** Fewer words may be anything: a name, or "who". */
const LEAST_WORDS = 3;

/** Whether what was typed into a search field asks something. */
export function isQuestion(typed: string): boolean {
  const words = wordsIn(typed);
  if (/[?？؟]\s*$/u.test(typed) || typed.startsWith('¿')) return words.length > 1;
  return words.length >= LEAST_WORDS && OPENERS.has(words[0] ?? '');
}

/** Words for one thing in business, as they begin, across languages. */
const SAME_MATTER = [
  'invoice bill rechnung factura facture fattura fatura счет рахун faktur τιμολογ فاتورة',
  'contract agreement vertrag contrato contrat contratto договор контракт договір umow sozlesme συμβολ عقد',
  'offer quote quotation proposal angebot presupuesto oferta devis preventivo orcamento предложени смет oferta teklif προσφορ',
  'payment pay paid zahlung zahlen bezahl pago pagar paiement payer pagamento оплат платеж оплач платн заплат odeme πληρωμ الدفع',
  'discount rabatt nachlass descuento remise reduction sconto desconto скидк знижк rabat indirim έκπτωσ',
  'delivery shipping ship lieferung versand lieferzeit entrega envio livraison expedition consegna доставк отгруз отправк dostaw teslimat',
  'meeting call appointment treffen besprechung termin reunion cita rendez rencontre riunione встреч созвон собеседован spotkan toplanti 会議',
  'deposit anzahlung acompte anticipo sinal предоплат задаток 定金',
  'storage lager almacenaje stockage demurrage хранени',
  'wage salary gehalt sueldo salario salaire зарплат оклад band',
  'hour hours hrs std stunde stunden hora horas heure heures час часа часов ora ore godzin saat',
  'break breaks broke broken',
  'buy buys bought',
  'send sends sent',
  'sell sells sold',
  'write writes wrote written',
  'lose loses lost',
  'bring brings brought',
  'build builds built',
  'choose chooses chose chosen',
  'drive drives drove driven',
  'sensor sensors logger loggers tag tags sensores capteur capteurs датчик метк حساس',
].map(line => wordsIn(line));

const LONG_ENOUGH = 4;
const LONGEST_ENDING = 3;

/** 0..1: how far a word that was said is the one that was asked about; the same, inflected, mistyped, or for the same matter. */
export function likenessOf(asked: string, said: string): number {
  if (asked === said) return 1;
  const shared = sharedBeginning(asked, said);
  const [short, long] = [asked.length - shared, said.length - shared].toSorted((a, b) => a - b);
  if (
    shared >= LONG_ENOUGH &&
    short !== undefined &&
    long !== undefined &&
    short < LONGEST_ENDING &&
    long <= LONGEST_ENDING
  )
    return INFLECTED;
  if (shared === 3 && short === 0 && long === 1) return INFLECTED;
  if (said.length === 3 && asked.startsWith(said) && isDayName(asked)) return INFLECTED;
  if (isMistyped(asked, said)) return MISTYPED;
  return areSameMatter(asked, said) ? SAME : 0;
}

const INFLECTED = 0.9;
const MISTYPED = 0.7;
const SAME = 0.7;

function sharedBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const LONG_ENOUGH_TO_SLIP = 5;

/** One letter left out, added, changed or swapped with the next, and not the first one. */
export function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LONG_ENOUGH_TO_SLIP || long.length - short.length > 1 || short[0] !== long[0]) return false;
  if (/\d/.test(one + other)) return false;
  const at = sharedBeginning(short, long);
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

const isOf = (word: string, matter: readonly string[]) =>
  matter.some(beginning => (beginning.length < LONG_ENOUGH ? word === beginning : word.startsWith(beginning)));

function areSameMatter(one: string, other: string): boolean {
  return SAME_MATTER.some(matter => isOf(one, matter) && isOf(other, matter));
}

const SLIPS_AFTER = 3;

/** The same for a word that may be mistyped: it begins right. Empty where it is too short for that. */
export function looseBeginningsOf(word: string): string[] {
  return word.length < LONG_ENOUGH_TO_SLIP || /\d/.test(word) ? [] : [word.slice(0, SLIPS_AFTER)];
}

/** What the index is asked for a word: its beginning, without what an ending may change, and other words for its matter. */
export function beginningsOf(word: string): string[] {
  const cut = word.length > 7 ? 3 : word.length > 5 ? 2 : word.length > 4 ? 1 : 0;
  const own = /\d/.test(word) ? word : word.slice(0, word.length - cut);
  return [own, ...SAME_MATTER.filter(matter => isOf(word, matter)).flat()];
}

const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'pl', 'ru', 'uk', 'tr', 'el', 'ar', 'he'];

/** Days and weeks that count from the present day, folded, each with the days back from it. */
const BACK: readonly (readonly [names: string, since: number, until: number])[] = [
  ['day before yesterday, vorgestern, anteayer, avant hier, позавчера, altro ieri, anteontem', 2, 2],
  ['yesterday, gestern, ayer, hier, вчера, ieri, ontem, wczoraj, вчора, dun, χθες, أمس, אתמול, 昨日, 昨天', 1, 1],
  [
    'today, heute, hoy, aujourd hui, сегодня, oggi, hoje, dzisiaj, dzis, сьогодні, bugun, σήμερα, اليوم, היום, 今日, 今天',
    0,
    0,
  ],
];
const WEEKS: readonly (readonly [names: string, back: number])[] = [
  [
    'last week, letzte woche, letzter woche, semana pasada, semaine derniere, прошлой неделе, settimana scorsa, semana passada, zeszlym tygodniu',
    1,
  ],
  ['this week, diese woche, dieser woche, esta semana, cette semaine, этой неделе, questa settimana, tym tygodniu', 0],
];

const namesOf = (list: string) => list.split(',').map(name => wordsIn(name).join(' '));

/** The names of the months and of the days of the week: which one, by folded name. */
const MONTHS = named({ month: 'long', day: 'numeric' }, 12, n => Date.UTC(2026, n, 1));
const WEEKDAYS = named({ weekday: 'long' }, 7, n => Date.UTC(2026, 0, 5 + n));

function named(form: Intl.DateTimeFormatOptions, count: number, momentOf: (n: number) => number): Map<string, number> {
  const part = 'month' in form ? 'month' : 'weekday';
  const found = LANGUAGES.flatMap(language => {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
    return Array.from({ length: count }, (_, n) => {
      const name = format.formatToParts(momentOf(n)).find(({ type }) => type === part)?.value ?? '';
      return [wordsIn(name)[0] ?? '', n] as const;
    });
  });
  return new Map(found.filter(([name]) => name.length > 2));
}

/** Whether a folded word is the name of a month or of a day of the week. */
export function isDayName(word: string): boolean {
  return MONTHS.has(word) || WEEKDAYS.has(word);
}

/** The days that a question names, as people say them, and which of its words say so. @param today YYYY-MM-DD */
export function readDays(words: readonly string[], today: string): { days: Days; said: string[] } | undefined {
  const whole = ` ${words.join(' ')} `;
  const saidIn = (names: string) => namesOf(names).find(name => whole.includes(` ${name} `));
  for (const [names, since, until] of BACK) {
    const said = saidIn(names);
    if (said) return told(dayBefore(today, since), dayBefore(today, until), said.split(' '));
  }
  for (const [names, back] of WEEKS) {
    const said = saidIn(names);
    const monday = dayBefore(mondayOf(today), 7 * back);
    if (said) return told(monday, sundayOf(monday), said.split(' '));
  }
  return readDate(words, today) ?? readWeekday(words, today);
}

function told(since: string, until: string, said: string[], isSure = true) {
  return { days: { since, until, isSure }, said };
}

/** `24 November`, `November 24`, `24.11.`: of this year, or of the last one if it is still to come by more than a month. */
function readDate(words: readonly string[], today: string) {
  for (const [at, word] of words.entries()) {
    const month = MONTHS.get(word);
    if (month === undefined) continue;
    const beside = [words[at - 1], words[at - 2], words[at + 1]];
    const day = beside.find(one => /^([1-9]|[12]\d|3[01])(st|nd|rd|th)?$/.test(one ?? ''));
    if (!day) continue;
    const date = dateOf(month + 1, Number.parseInt(day, 10), today);
    // The date may be one to come, which a digest before it names.
    if (date) return told(date, date, [word, day], date < today);
  }
  return undefined;
}

const MONTH_DAYS = 31;

function dateOf(month: number, day: number, today: string): string | undefined {
  const two = (number: number) => String(number).padStart(2, '0');
  const inYear = (year: number) => `${year}-${two(month)}-${two(day)}`;
  const date = inYear(Number(today.slice(0, 4)));
  if (Number.isNaN(Date.parse(date)) || new Date(date).getUTCDate() !== day) return undefined;
  return date > dayAfter(today, MONTH_DAYS) ? inYear(Number(today.slice(0, 4)) - 1) : date;
}

/** The last one before today, or perhaps the next. */
function readWeekday(words: readonly string[], today: string) {
  const said = words.find(word => WEEKDAYS.has(word));
  const weekday = said === undefined ? undefined : WEEKDAYS.get(said);
  if (said === undefined || weekday === undefined) return undefined;
  const ago = dayAfter(mondayOf(today), weekday);
  const day = ago < today ? ago : dayBefore(ago, 7);
  return told(day, day, [said], false);
}
