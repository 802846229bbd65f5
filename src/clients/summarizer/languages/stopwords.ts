import * as lists from 'stopword';
import { deu, eng, fra, pol, por, porBr, rus, spa, tur, ukr } from 'stopword';
import { oncePer } from '../../../lib/once.ts';

const mergeWords = (...lists: Iterable<string>[]): ReadonlySet<string> => new Set(lists.flatMap(list => [...list]));

/** Words of any script, without apostrophes and hyphens. */
export const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
export const WORDS_OF_LETTERS = /[\p{L}\p{M}]+/gu;

/** Words that say nothing about a conversation's matter: the library's lists, and what chats add to them. */
const STOPWORDS = {
  en: mergeWords(
    eng,
    wordSet(`behalf number week weeks month months year years time times morning afternoon evening two three i'm
      i've i'll i'd you're you've you'll you'd he's she's it's it'll we're we've we'll we'd they're they've that's
      there's here's what's who's how's where's let's don't doesn't didn't isn't aren't wasn't weren't won't wouldn't
      can't couldn't shouldn't haven't hasn't hadn't ain't mine yours she hers its us ours theirs whom whose when why
      few no nor not own so will just may shall does doing done having gets getting go goes going gone went comes
      coming takes took makes made let say says tell told think thinks thought know knows knew see saw seen look looks
      looking want wants wanted need needs likes liked really actually maybe perhaps quite pretty even yet already
      again today oh ah um uh hmm hey yeah yep nope ok okay sure yes please thanks thank sorry hello hi bye good great
      nice fine right lot lots bit thing things something anything nothing everything someone anyone everyone one ones
      little every ever always until against above below down off once sir madam mr mrs ms guess mean kind sort give
      gave put keep try tried use used course though although anyway else without within rather around away back first
      last next lol haha gonna wanna gotta whether upon per via etc feel feels felt seem seems sounds sound talk asked
      ask believe hope wonder care matter idea problem happen happened happens`),
  ),
  de: mergeWords(
    deu,
    wordSet(`woche wochen monat monats buchen vormittag nachmittag abend ok okay halt hallo hi hey moin danke
      bitte super klar gerne genau passt prima toll leider könntest könnten mache mach geben gebe sagen sag weiß
      glaube denke finde möchten brauche brauchen schicken schicke schick schickst sende senden melde melden gestern
      nochmal einfach schön liebe grüße herr frau eigentlich`),
  ),
  es: mergeWords(
    spa,
    wordSet(`antes próximo próxima semana mes tarde mañana lunes vez gusta ok okay vale si hola gracias favor
      bueno bien claro perfecto genial puedes puede podrías podría quiero quieres quiere necesito necesitas tengo
      tienes tiene tenemos voy vas va vamos hacer hago hace hecho estoy estás está estamos están soy eres es somos son
      ser estar creo sé sabes sabe ver veo mira dime decir digo dice hoy ayer ahora luego después menos algo nada todo
      toda todos todas aún entonces así pues cómo quién dónde cuándo cuánto cuál les tu mis tus usted ustedes enviar
      envío mandar mando envíame mándame día buenos buenas tardes noches días señor señora esto esa este esta aquí`),
  ),
  fr: mergeWords(
    fra,
    wordSet(`avant pendant depuis prochain prochaine semaine mois matin soir fois près chez ok okay oui non salut
      bonjour bonsoir merci svp stp plaît plait bien super parfait d'accord accord bon bonne peux peut pouvez pourrais
      pourriez pouvoir veux veut voulez voudrais vouloir dois doit devez faut fait fais faites vais vas va allez aller
      crois pense sais sait savoir vois voir dire dis dit envoyer envoie envoies envoyez aujourd'hui demain hier
      maintenant après aussi très plus moins quelque chose rien tout toute tous toutes déjà encore alors donc quand
      comment quoi pourquoi combien ça c'est j'ai elles d'un d'une qu'il qu'on n'est n'ai l'on là bientôt jour journée
      monsieur madame juste`),
  ),
  pt: mergeWords(
    por,
    porBr,
    wordSet(`gente semana manhã ok okay oi olá valeu ótimo perfeito claro beleza combinado tá podes preciso
      precisa vou vamos acho vejo digo amanhã então senhor senhora enviar envio mandar mando dias`),
  ),
  ru: mergeWords(
    rus,
    wordSet(`неделя неделю недели неделе месяц месяца день дня дней утром утра вечером вечера днём ок окей привет
      здравствуйте добрый утро вечер спасибо пожалуйста хорошо отлично ладно понял поняла ясно супер можешь можете мог
      могла могу можем нужно хочу хотите хочешь буду будем эта этому та те здесь ещё сейчас завтра вчера почему зачем
      сколько какие который которая которые мои мной тебе тобой вами нам нами её свой своя свои наш наша ваш ваша
      очень просто также всё весь вся всем поэтому давай давайте знаю знаешь думаю сделать сделаю сделаем скажи
      скажите пришли пришлите отправлю отправь отправьте пришлю напишу напишите`),
  ),
  uk: mergeWords(
    ukr,
    wordSet(`тиждень тижня тижні місяць місяця день дня днів вранці ранку ввечері вечора обіду раз ок окей привіт
      вітаю добрий ранок вечір дякую будь ласка добре чудово гаразд зрозуміло супер можеш можете можу можемо треба
      потрібно хочу хочете хочеш буде буду будемо цього ну зараз потім сьогодні завтра вчора хто чому навіщо скільки
      які наша ваш ваша дуже просто теж всі якщо тому давайте знаю знаєш думаю зробити зроблю зробимо скажи надішлю
      надішли надішліть напишу можна доброго`),
  ),
  pl: mergeWords(
    pol,
    wordSet(`tydzień tygodnia tygodniu tygodnie miesiąc miesiąca dzień dni rano wieczorem następny następna
      następne następnym raz ok okej cześć hej dobry wieczór dzięki dziękuję dziekuje proszę dobra super świetnie
      jasne spoko możesz możecie mógłbyś mogłabyś mogę możemy chcę chcesz chce potrzebuję masz mamy będę będziemy
      jesteś potem jutro wczoraj jaka go swój swoja wiem wiesz myślę zrobić zrobię zrób powiedz wyślę wyślij wysłać
      panie da`),
  ),
  tr: mergeWords(
    tur,
    wordSet(`hafta haftaya ay gün günü saat sabah akşam gelecek önümüzdeki ok tamam evet hayır merhaba selam
      günaydın akşamlar günler teşekkürler teşekkür ederim ederiz sağol lütfen güzel harika süper tabii peki yok mi
      sana size kaç zaman önce bugün yarın dün hala hâlâ olacak eder misin mısın musun müsün misiniz mısınız yaptım
      yaparım yapalım istiyorum istiyor lazım gerek`),
  ),
} as const;

/** Parts of dates, and what follows names. */
const UNSPACED = [...'年月日時分点号点样様氏的了'];

const OTHERS: Record<string, string[]> = {
  ar: lists.ara,
  bg: lists.bul,
  cs: lists.ces,
  da: lists.dan,
  el: lists.ell,
  fa: lists.fas,
  fi: lists.fin,
  he: lists.heb,
  hi: lists.hin,
  hu: lists.hun,
  id: lists.ind,
  it: lists.ita,
  ja: [...lists.jpn, ...UNSPACED],
  ko: lists.kor,
  nl: lists.nld,
  no: lists.nob,
  ro: lists.ron,
  sv: lists.swe,
  vi: lists.vie,
  zh: [...lists.zho, ...UNSPACED],
};

/** Greetings and thanks, which are not in the lists. */
const GREETINGS =
  wordSet(`ありがとう おはよう お世話 お願い お送り いたし 你好 您好 谢谢 السلام عليكم شكرا أستاذ أستاذة عندنا היי שלום תודה
  ciao grazie buongiorno buonasera salve prego per hallo hoi bedankt dank goedemorgen καλημέρα ευχαριστώ μου σου hej tack`);

/** The stop words of a language (ISO 639-1): the library's, and those that chats add, where we know them. */
export function stopwordsOf(code: string): ReadonlySet<string> {
  if (Object.hasOwn(STOPWORDS, code)) return STOPWORDS[code as keyof typeof STOPWORDS];
  return new Set([...(OTHERS[code] ?? []), ...GREETINGS]);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter(Boolean));
}

/** The data of a language that is written by hand, not learned. `code`: ISO 639-1, or 'und'. */
export type Pack = {
  code: string;
  stopwords: ReadonlySet<string>;
  /** All nouns have capitals, so that a capital tells no name. */
  nounsCapitalized: boolean;
};

export const packOf = oncePer(
  (code: string): Pack => ({ code, stopwords: stopwordsOf(code), nounsCapitalized: code === 'de' }),
);
