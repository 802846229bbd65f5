import * as lists from 'stopword';
import { deu, eng, fra, pol, por, porBr, rus, spa, tur, ukr } from 'stopword';

const join = (...lists: Iterable<string>[]): ReadonlySet<string> => new Set(lists.flatMap(list => [...list]));

/** Words that say nothing about a conversation's matter: the library's lists, and what chats add to them. */
const STOPWORDS = {
  en: join(
    eng,
    wordSet(`behalf number week weeks month months year years time times morning afternoon evening two three i'm i've i'll i'd you're you've you'll you'd he's she's it's it'll we're we've we'll we'd they're they've
      that's there's here's what's who's how's where's let's don't doesn't didn't isn't aren't wasn't weren't won't
      wouldn't can't couldn't shouldn't haven't hasn't hadn't ain't i me my mine you your yours he him his she her hers it
      its we us our ours they them their theirs this that these those what which who whom whose when where why how all
      any both each few more most other some such no nor not only own same so than too very can will just should would
      could may might must shall do does did doing done have has had having be been being am is are was were get gets got
      getting go goes going gone went come comes coming came take takes took make makes made let say says said tell told
      think thinks thought know knows knew see saw seen look looks looking want wants wanted need needs like likes liked
      really actually maybe perhaps quite pretty also even still yet already again now then here there today well oh ah
      um uh hmm hey yeah yep nope ok okay sure yes please thanks thank sorry hello hi bye good great nice fine right
      lot lots bit thing things something anything nothing everything someone anyone everyone one ones way much many
      little every never ever always if because while until about against between into through before after above below
      up down out off over under once sir madam mr mrs ms guess mean kind sort give gave put keep try tried use used
      course though although anyway else without within another rather around away since back first last next lol haha
      got gonna wanna gotta whether upon per via etc us feel feels felt seem seems sounds sound talk tell asked ask
      believe hope might wonder care matter idea problem happen happened happens`),
  ),
  de: join(
    deu,
    wordSet(`woche wochen tage monat monats buchen vormittag nachmittag abend uhr mal ok okay ja nein doch mal halt eben hallo hi hey moin danke bitte gut super klar gerne gern genau passt prima
      toll leider kannst könntest können könnten machen mache mach macht gemacht geht ging gehen gibt geben gebe sagen sagt
      sag weiß wissen glaube denke finde hätte hätten würde würden wäre sollte sollten müssen muss möchte möchten will
      wollen brauche brauchen schicken schicke schick schickst sende senden melde melden dir dich euch ihnen ihre ihr
      heute morgen gestern noch schon auch nur sehr mehr etwas alles nichts bis ab bald nochmal einfach gerade jetzt dann
      also wieder schön liebe grüße viele herr frau vielleicht eigentlich wann wie was wer wo warum`),
  ),
  es: join(
    spa,
    wordSet(`antes próximo próxima semana mes tarde mañana lunes vez gusta ok okay vale sí si no hola gracias por favor bueno bien claro perfecto genial puedes puede podrías podría
      quiero quieres quiere necesito necesitas tengo tienes tiene tenemos voy vas va vamos hacer hago hace hecho estoy estás
      está estamos están soy eres es somos son ser estar creo sé sabes sabe ver veo mira dime decir digo dice hoy mañana
      ayer ahora luego después también muy más menos algo nada todo toda todos todas ya aún entonces así pues cuando cómo
      qué quién dónde cuándo cuánto cuál te me le les nos lo la los las mi tu su sus mis tus usted ustedes enviar envío
      mandar mando envíame mándame día buenos buenas tardes noches días hasta señor señora eso esto ese esa este esta aquí`),
  ),
  fr: join(
    fra,
    wordSet(`avant pendant depuis prochain prochaine semaine mois matin soir fois près chez ok okay oui non salut bonjour bonsoir merci svp stp plaît plait bien super parfait d'accord accord bon bonne
      peux peut pouvez pourrais pourriez pouvoir veux veut voulez voudrais vouloir dois doit devez faut fait faire fais
      faites vais vas va allez aller suis es est sommes êtes sont être avoir ai as avons avez ont crois pense sais sait
      savoir vois voir dire dis dit envoyer envoie envoies envoyez aujourd'hui demain hier maintenant après aussi très plus
      moins quelque chose rien tout toute tous toutes déjà encore alors donc quand comment quoi qui où pourquoi combien
      quel quelle te me lui leur nous vous mon ton son ma ta sa mes tes ses votre notre vos nos ça cela c'est j'ai je tu il
      elle on ils elles d'un d'une qu'il qu'on n'est n'ai l'on là ici bientôt jour journée monsieur madame juste`),
  ),
  pt: join(
    por,
    porBr,
    wordSet(`gente antes próxima próximo semana mês manhã vez ok okay sim não oi olá obrigado obrigada valeu por favor bom boa bem ótimo perfeito claro beleza combinado tá
      pode podes poderia podia quero quer queres preciso precisa tenho tem temos vou vai vamos fazer faço faz feito estou
      está estamos estão sou é são ser estar acho sei sabe ver vejo dizer digo diz hoje amanhã ontem agora depois também
      muito mais menos algo nada tudo já ainda então assim quando como que quem onde quanto qual te me lhe nos vos meu teu
      seu sua minha tua você vocês senhor senhora enviar envio mandar mando dia dias tarde noite até aqui isso isto esse`),
  ),
  ru: join(
    rus,
    wordSet(`неделя неделю недели неделе месяц месяца день дня дней утром утра вечером вечера днём раз ок окей да нет привет здравствуйте добрый день утро вечер спасибо пожалуйста хорошо отлично ладно понял поняла
      ясно супер можешь можете мог могла могу можем нужно надо хочу хотите хочешь будет буду будем есть был была были быть
      это эта этот эти этого этой этому тот та те то так там тут здесь вот ну же ли бы уже ещё еще сейчас потом сегодня
      завтра вчера когда где кто что как почему зачем сколько какой какая какие который которая которые мой моя мои мне
      меня мной тебе тебя тобой вам вас вами нам нас нами ему его ей её ее их им свой своя свои наш наша ваш ваша очень
      просто тоже также всё все весь вся всех всем только если чтобы потому поэтому давай давайте знаю знаешь думаю сделать
      сделаю сделаем скажи скажите пришли пришлите отправлю отправь отправьте пришлю напишу напишите можно нельзя`),
  ),
  uk: join(
    ukr,
    wordSet(`тиждень тижня тижні місяць місяця день дня днів вранці ранку ввечері вечора обіду раз також із про ок окей так ні привіт вітаю добрий день ранок вечір дякую будь ласка добре чудово гаразд зрозуміло супер
      можеш можете можу можемо треба потрібно хочу хочете хочеш буде буду будемо є був була були бути це ця цей ці цього
      той та ті то там тут ось ну ж чи б би вже ще зараз потім сьогодні завтра вчора коли де хто що як чому навіщо скільки
      який яка які мій моя мої мені мене тобі тебе вам вас нам нас йому його їй її їх їм свій своя свої наш наша ваш ваша
      дуже просто теж також все всі весь тільки якщо щоб тому давай давайте знаю знаєш думаю зробити зроблю зробимо скажи
      надішлю надішли надішліть напишу можна доброго дня я ти ми ви він вона воно вони до від по про для і й а але у в з`),
  ),
  pl: join(
    pol,
    wordSet(`tydzień tygodnia tygodniu tygodnie miesiąc miesiąca dzień dni rano wieczorem następny następna następne następnym raz ok okej tak nie cześć hej dzień dobry wieczór dzięki dziękuję dziekuje proszę dobrze dobra super świetnie
      jasne spoko możesz możecie może mógłbyś mogłabyś mogę możemy trzeba chcę chcesz chce potrzebuję mam masz ma mamy
      będzie będę będziemy jest jestem jesteś są był była było być to ta ten te tego tej tym tam tu tutaj no już jeszcze
      teraz potem dziś dzisiaj jutro wczoraj kiedy gdzie kto co jak dlaczego ile jaki jaka jakie który która które mój moja
      moje mi mnie ci cię tobie wam was nam nas mu go jej ich im swój swoja nasz wasz bardzo tylko też także wszystko
      wszyscy jeśli żeby więc wiem wiesz myślę zrobić zrobię zrób powiedz wyślę wyślij wysłać pan pani panie da się`),
  ),
  tr: join(
    tur,
    wordSet(`hafta haftaya ay gün günü saat sabah akşam gelecek önümüzdeki ok tamam evet hayır merhaba selam günaydın iyi akşamlar günler teşekkürler teşekkür ederim ederiz sağol
      lütfen güzel harika süper tabii peki olur var yok değil mi mı mu mü bu şu o ben sen biz siz onlar bana sana ona bize
      size beni seni onu bizi sizi benim senin onun bizim sizin ne nasıl neden niye nerede nereye kim kaç hangi zaman bir
      iki çok az daha en de da ki ile için gibi kadar sonra önce şimdi bugün yarın dün artık hala hâlâ yine belki sadece
      şey olarak olan oldu olacak olsun eder misin mısın musun müsün misiniz mısınız yapmak yaptım yaparım yapalım gelecek
      istiyorum istiyor lazım gerek bile ama fakat çünkü eğer her hiç bazı tüm bütün göre`),
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
