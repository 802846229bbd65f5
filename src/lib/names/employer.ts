import { readPersonName } from './personName.ts';

/** What people write beside a name that is no employer: who it is to them, which of several numbers, where they met. */
const NOTES = new Set(
  `work office home private mobile cell phone number new old second main business personal job
  mom mum mama mother dad papa father parents sister brother wife husband aunt uncle cousin grandma grandpa boyfriend girlfriend
  friend neighbor neighbour roommate classmate colleague family tinder bumble hinge whatsapp telegram signal instagram viber
  school uni university kita gym yoga pilates crossfit football tennis choir church club dance party festival trip holiday
  arbeit büro privat handy nummer neu neue neuer alt alte zweite mutter vater eltern schwester bruder tante onkel oma opa
  freund freundin nachbar nachbarin wg mitbewohner kollege kollegin familie schule sport verein tanzen chor
  trabajo oficina casa móvil movil número numero nuevo nueva madre padre hermana hermano tía tío vecino vecina amigo amiga
  trabalho escritório novo nova velho mãe pai irmã irmão tia tio vizinho vizinha amiga escola
  travail bureau maison portable numéro nouveau nouvelle maman mère père soeur sœur frère tante oncle voisin voisine ami amie
  lavoro ufficio cellulare nuovo nuova mamma madre sorella fratello zia zio vicino vicina amico amica
  praca biuro dom komórka numer nowy nowa stary mama tata siostra brat ciocia wujek sąsiad sąsiadka kolega koleżanka
  работа офис дом личный мобильный номер новый новая старый мама папа сестра брат тётя тетя дядя сосед соседка друг подруга
  школа универ коллега семья зал йога
  робота офіс дім особистий мобільний новий нова старий мамо тато сестра брат тітка дядько сусід сусідка подруга
  iş ofis ev cep numara yeni eski anne baba abla abi kardeş teyze amca komşu arkadaş okul`.split(/\s+/),
);
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pl', 'pt', 'ru', 'tr', 'uk'];
/** Cities that no time zone is named after. */
const MORE_CITIES =
  `hamburg münchen munich köln cologne frankfurt stuttgart barcelona valencia sevilla milano milan napoli torino roma
  lyon marseille bordeaux nice porto kraków krakow wrocław gdańsk poznań łódź москва санкт-петербург питер спб киев київ харьков
  харків одесса одеса днепр дніпро львов львів минск алматы ташкент тбилиси ереван берлин варшава лондон париж прага дубай
  izmir ankara antalya bursa dubai mumbai delhi bangalore manchester birmingham leeds boston seattle miami houston dallas
  atlanta wien zürich zurich genève basel praha lisboa warszawa kyiv nyc sf la`.split(/\s+/);

let places: ReadonlySet<string> | undefined;

/** Countries in the languages of the product, and the cities that zones are named after. Small letters. */
function knownPlaces(): ReadonlySet<string> {
  places ??= new Set([...countries(), ...cities(), ...MORE_CITIES]);
  return places;
}

function countries(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap(first => letters.map(second => first + second));
  return LANGUAGES.flatMap(language => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return codes.flatMap(code => names.of(code)?.toLowerCase() ?? []);
  });
}

function cities(): string[] {
  return Intl.supportedValuesOf('timeZone').map(zone =>
    (zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(),
  );
}

/**
 * Where a person works, according to their name in the messenger; '' where it doesn't say. What is beside a name may be
 * a city or whose mother it is: a wrong company in the CRM is worse than none.
 */
export function employerIn(messengerName: string): string {
  const { company } = readPersonName(messengerName);
  const words = company.toLowerCase();
  if (knownPlaces().has(words)) return '';
  return words.split(/[\s-]+/).every(word => NOTES.has(word)) ? '' : company;
}
