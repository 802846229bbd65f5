import { cue, either, pairs, wordSet } from './cues.ts';
import { STOPWORDS } from './stopwords.ts';
import type { LanguagePack } from './types.ts';

const I_DO =
  'wyślę/wyślemy/prześlę/prześlemy/podeślę/zadzwonię/oddzwonię/napiszę/przygotuję/przygotujemy/sprawdzę/sprawdzimy/potwierdzę/potwierdzimy/podpiszę/podpiszemy/zapłacę/zapłacimy/przeleję/zamówię/zarezerwuję/przekażę/dowiem/zobaczę/odpowiem/odpiszę/skończę/dokończę/zaktualizuję/przywiozę/przyniosę/zajmę/zorganizuję/poprawię/ustalę/załatwię/umówię/zrobię/zrobimy/dam znać/damy znać';
const TO_DO =
  'wysłać/przesłać/podesłać/zadzwonić/oddzwonić/napisać/przygotować/sprawdzić/potwierdzić/podpisać/zapłacić/przelać/zamówić/zarezerwować/przekazać/odpowiedzieć/odpisać/skończyć/dokończyć/zaktualizować/przywieźć/przynieść/poprawić/ustalić/załatwić/umówić/zrobić/dać znać/zerknąć/rzucić okiem';
const PLEASE_DO =
  'wyślij/wyślijcie/prześlij/podeślij/zadzwoń/oddzwoń/napisz/przygotuj/sprawdź/potwierdź/podpisz/zapłać/przelej/zamów/zarezerwuj/przekaż/odpisz/przypomnij/popraw/zerknij/daj znać/dajcie znać/załatw/umów';
const YOU_WILL =
  'wyślesz/prześlesz/podeślesz/zadzwonisz/przygotujesz/sprawdzisz/potwierdzisz/podpiszesz/zapłacisz/zrobisz/dasz znać';

/** A phrase list may hold phrases of two words, which the slash of `cue` can't. */
const each = (list: string): string[] => list.split('/');

export const polish: LanguagePack = {
  code: 'pl',
  stopwords: STOPWORDS.pl,
  smallTalk: cue(
    'cześć/hej/witam/dzięki/dziękuję/ok/okej/tak/nie/dobrze/dobra/super/świetnie/jasne/spoko/rozumiem/pozdrawiam/pa/oczywiście/zgoda',
    'dzień dobry',
    'dobry wieczór',
    'bardzo dziękuję',
    'wielkie dzięki',
    'do widzenia/jutra/zobaczenia/usłyszenia',
    'co słychać',
    'jak się masz',
    'nie ma za/problemu/sprawy',
    'miłego dnia/wieczoru/weekendu',
    'na razie',
  ),
  opening: cue(
    '^cześć/hej/witam/dzięki/dziękuję/ok/okej/tak/nie/dobrze/dobra/super/no/a/i/ale/więc/to/jasne/rozumiem',
    '^dzień dobry',
    '^dobry wieczór',
    '^a propos',
  ),
  question: cue(
    '^kto/co/kiedy/gdzie/dokąd/skąd/jak/dlaczego/czemu/ile/jaki/jaka/jakie/który/która/które/czy',
    '^możesz/możecie/mógłbyś/mogłabyś/masz/macie/wiesz',
  ),
  inquiry: cue(
    'możesz/możecie/mógłbyś/mogłabyś .. powiedzieć/wyjaśnić/pomóc/wytłumaczyć',
    'powiedz/powiedzcie',
    'wiesz/wiecie/masz/macie',
    'czy pan/pani wie/ma',
  ),
  intent: cue(
    'chcę/chcemy/chciałbym/chciałabym/chcielibyśmy/potrzebuję/potrzebujemy/muszę/musimy/planuję/planujemy/proponuję/proponujemy/myślę/polecam/postanowiłem/postanowiliśmy/zdecydowałem/zdecydowaliśmy/wolę/zamierzam',
    'trzeba/powinniśmy/powinieneś/powinnaś',
    'ponieważ/bo/żeby/niestety',
    'nie mogę/możemy',
    'mam nadzieję',
  ),
  dangling: cue('^to/ten/ta/te/on/ona/ono/oni/one/tam/tu/jego/jej/ich/wtedy/potem/dlatego/też'),
  promise: cue(...each(I_DO), 'ja .. to zrobię', 'biorę to na siebie', 'zajmę się'),
  promiseWithDate: cue('będę/będziemy/przyjadę/przyjdę/spotkamy/zdążę/zdążymy/dam/damy/wrócę/dostarczę/dostarczymy'),
  request: either(
    cue(
      ...each(PLEASE_DO),
      ...each(YOU_WILL),
      'czy wyślesz/prześlesz/podeślesz/zadzwonisz',
      'czekam/czekamy na twój/twoją/pana/pani',
    ),
    pairs(
      [
        'możesz',
        'możecie',
        'mógłbyś',
        'mogłabyś',
        'może pan',
        'może pani',
        'mógłby pan',
        'mogłaby pani',
        'proszę',
        'proszę o',
        'trzeba',
        'musisz',
        'nie zapomnij',
        'pamiętaj żeby',
      ],
      each(TO_DO),
      ' .. ',
    ),
  ),
  requestWithDate: cue('proszę', 'potrzebuję/potrzebujemy', 'trzeba', 'czekam/czekamy'),
  settled: cue(
    'gotowe/zrobione/wysłane/zapłacone/opłacone/podpisane/załatwione',
    'już wysłałem/wysłałam/wysłaliśmy/zrobiłem/zrobiłam/zapłaciłem/zapłaciłam/podpisałem/podpisałam',
    'wysłałem/wysłałam/wysłaliśmy/przesłałem/przesłałam/zapłaciłem/zapłaciłam/podpisałem/podpisałam',
    'oto',
    'w załączniku',
    'nie trzeba',
    'nie mogę',
    'nie dam rady',
    'już nieaktualne',
  ),
  urgent: cue(
    'pilne/pilny/pilna/pilnie/natychmiast/awaria/asap/deadline',
    'jak najszybciej',
    'w tej chwili',
    'na wczoraj',
    'ostateczny termin',
  ),
  soon: cue('dziś/dzisiaj/jutro/wkrótce/ważne/szybko', 'w tym tygodniu', 'czekam/czekamy'),
  positive: cue(
    'dobrze/dobry/dobra/dobre/świetnie/świetny/świetna/świetne/super/wspaniale/wspaniał*/doskonale/doskonał*/idealnie/cieszę/cieszymy/zadowolony/zadowolona/zadowoleni/dziękuję/dziękujemy/dzięki/wdzięczn*/gratulacje/gratuluję/brawo/podoba/uwielbiam/kocham/szczęśliw*/sukces/miło/rewelac*',
  ),
  negative: cue(
    'źle/zły/zła/złe/okropn*/strasznie/straszn*/fatalnie/fatal*/problem/problemy/problemu/błąd/błędy/błędu/skarg*/reklamacj*/rozczarowan*/niezadowolon*/wkurz*/smutn*/martwię/opóźnien*/spóźni*/drogo/drogi/zepsut*/niestety/nieakceptowaln*/anulow*/odwoł*/boli/chory/chora/zgubił*/szkoda/zwrot/awaria',
    'nie działa/podoba',
  ),
  negation: cue('nie/nigdy/bez/żaden/żadna/żadne/żadnych/brak'),
  meeting: cue(
    'spotkani*/spotkać/spotkamy/rozmow*/telefon/obiad/lunch/kolacj*/demo/prezentacj*/wideokonferencj*/wizyt*/rozmowa/callu/call',
    'widzimy się',
    'umówmy się',
  ),
  introduction: cue(
    'nazywam się',
    'mam na imię',
    'chciałbym/chciałabym/chcę przedstawić',
    'przedstawiam',
    'poznaj/poznajcie',
    'miło .. poznać',
    'to jest .. z firmy',
  ),
  dealSignals: {
    price: cue('cen/cena/ceny/cenę/cenie/ceną/koszt*/kosztuje/wycen*/stawk*/cennik*/ofert*'),
    discount: cue('rabat*/zniżk*/taniej/upust*'),
    budget: cue('budżet*'),
    contract: cue('umow/umowa/umowy/umowę/umowie/umową/kontrakt*/porozumieni*/podpis*'),
    renewal: cue('przedłuż*/odnowi*/odnowien*/subskrypcj*/abonament*'),
    cancellation: cue('anulow*/rezygn*/wypowiedz*/wypowiedzeni*/zwrot*'),
    order: cue('zamówi*/zamawia*/zakup*'),
    invoice: cue('faktur*'),
    payment: cue('płatnoś*/zapłac*/zapłat*/przelew*/zaliczk*/rat/raty/ratę'),
    demo: cue('demo/demonstracj*/pilotaż*/próbn*/testow*'),
    delivery: cue('dostaw*/wysyłk*/dostarcz*'),
    competitor: cue('konkurencj*/konkurent*', 'inny dostawca', 'innego dostawcy', 'inna oferta'),
  },
  phrasesOfNouns: false,
  nounLead: wordSet(
    'w we na z ze o po dla od do za bez nad pod przy mój moja nasz nasza wasz twój twoja ten ta nowy nowa nowe pana pani',
  ),
  notNoun:
    /(?:ć|ać|eć|ić|yć|ąć|uję|ujesz|uje|emy|imy|amy|asz|esz|isz|ysz|ałem|ałam|iłem|iłam|ował|owała|liśmy|łyśmy|ając|ąc|ego|emu|ych|ymi|cie|nie|ło|li|ły)$/u,
  calendar: {
    today: cue('dziś/dzisiaj', 'dziś wieczorem'),
    tomorrow: cue('jutro/jutra/jutrze'),
    dayAfterTomorrow: cue('pojutrze/pojutrza'),
    endOfWeek: cue('końca/koniec/końcem/końcu tygodnia', 'tym tygodniu'),
    nextWeek: cue('przyszłym/następnym tygodniu', 'przyszły/następny tydzień', 'przyszłego/następnego tygodnia'),
    endOfMonth: cue('końca/koniec/końcem/końcu miesiąca', 'tym miesiącu'),
    nextMonth: cue('przyszłym/następnym miesiącu', 'przyszłego/następnego miesiąca'),
    weekdays: [
      'poniedział*',
      'wtorek/wtorku/wtorkiem/wtorkowi',
      'środa/środę/środy/środzie/środą',
      'czwart*',
      'piątek/piątku/piątkiem/piątkowi',
      'sobot*',
      'niedziel*',
    ].map(day => cue(day)),
    months: 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'
      .split(' ')
      .map(month => cue(month)),
    inTime:
      /(?<![\p{L}\p{N}])za\s+(?:(?<count>\d+|dwa|dwie|trzy|cztery)\s+)?(?<unit>dzień|dni|tydzień|tygodni\p{L}*|miesiąc\p{L}*|miesięcy)(?!\p{L})/u,
    units: { day: /^d/u, week: /^t/u, month: /^m/u },
    before: cue('do/na/w/we/od/przed/po/najpóźniej', 'najpóźniej w/do', 'przed końcem'),
    after: /(?!)/u,
  },
  phrases: {
    asks: '{who} pyta',
    requests: '{who} prosi',
    promises: '{who} obiecuje',
    says: '{who}',
    about: '{who} omawiają: {topics}.',
    and: 'i',
    reply: 'Odpowiedzieć ({to})',
    media: {
      photo: 'zdjęcia',
      video: 'filmy',
      voice: 'wiadomości głosowe',
      document: 'dokumenty',
      sticker: 'naklejki',
      location: 'lokalizacje',
      contact: 'kontakty',
      poll: 'ankiety',
    },
  },
};
