import { MASK } from './mask.ts';

/** Words that mean a password and nothing else. */
const PASSWORDS = [
  'passwords?|passphrase|passwd|pwd|psw',
  'passw(?:ort|örter)|kennwort|zugangsdaten|geheimwort|contraseñas?|mot de passe|mdp|senha|palavra-passe',
  "parola d'ordine|wachtwoord|lösenord|adgangskode|passord|salasana|jelszó|heslo|parolă",
  'парол[ьяею]м?|парол(?:ем|і|и)|хасло|hasł(?:o|a|em|u)|şifre(?:m|si|miz|niz)?|parola(?:m|sı|mız|nız)?',
  'κωδικός(?: πρόσβασης)?|סיסמה|הסיסמה|كلمة (?:المرور|السر)|رمز عبور|पासवर्ड|mật khẩu|kata sandi|รหัสผ่าน',
].join('|');
const SECRET_NAMES = `${PASSWORDS}|secret|token|(?:api|access|private|secret|licen[sc]e)[- _]{0,2}key|clave|code secret`;
/** Words that mean other things as well: a ticket is a pass. */
const AMBIGUOUS_WORDS = 'pass|pw|logins?|credentials';
const WITH_NAME_WORDS =
  'logins?|credentials|zugangsdaten|user(?:name)?|account|логин|логін|usuario|utilisateur|kullanıcı adı';
const COLON = '\\s{0,3}[:=：]\\s{0,3}';
const STILL =
  'now|still|just|simply|always|jetzt|nun|noch|leider|ahora|todavía|maintenant|toujours|agora|ainda|adesso|ancora|teraz|nadal|wciąż|теперь|ещё|тепер|досі|şimdi|hala|hâlâ';
/** Some languages do without a word for "is", but not for "is now". */
const COPULA = `\\s{1,3}(?:is|was|are|ist|lautet|war|es|est|é|era|to|this|-|–|—|это|це|был|jest|è|är|er|olarak|теперь|тепер)\\s{1,3}(?:(?:${STILL})\\s{1,3})?`;
const IS = `(?:${COLON}|${COPULA})`;
const NAMED_FOR = '(?:\\s{1,3}[^\\s.!?:=]{1,20}){0,4}?';
/** "for the portal", "fürs WLAN" */
const FOR =
  '\\s{1,3}(?:for|of|to|on|at|fürs?|zum|zur|vom|von|im|para|del?|du|des|pour|au|d[aoi]|per|dell[ao]|dla|od|на|для|от|к|до|від)(?:\\s{1,3}[^\\s.!?:=]{1,20}){1,4}?';
const BEGINS = '(?<![\\p{L}\\p{N}])';
const VALUE = '["\'“„«`(]?(\\S{4,})';
const PLAIN_VALUE = '["\'“„«`(]?(\\p{L}{4,40})["\'”“»`)]?';

/** "password: x": whatever follows. */
const LABELED = new RegExp(`${BEGINS}(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(${COLON})${VALUE}`, 'giu');
/** "the password is x", and below "the password for the portal is x": whatever follows but what people say of passwords. */
const SAID = new RegExp(`${BEGINS}(${SECRET_NAMES})(${COPULA})${VALUE}`, 'giu');
const PASSWORD_FOR_PLACE = new RegExp(`${BEGINS}(${PASSWORDS})(${FOR}${IS})${VALUE}`, 'giu');
/** "passphrase: correct horse battery staple": all of its words. */
const PASSPHRASE = new RegExp(
  `${BEGINS}(passphrase|(?:seed|recovery|secret)[ -]phrase)((?:${FOR})?${IS})["'“„«\`(]?(\\p{L}+(?:[\\s-]{1,3}\\p{L}+){2,23})`,
  'giu',
);
/** "the password you need is x", "pass x": only what looks like a password, with a digit or a sign in it. */
const LOOKS_LIKE_ONE = '(?=[^\\s]{0,60}[\\p{Nd}!@#$%^&*])(?=[^\\s]{0,60}\\p{L})';
const SAID_FOR = new RegExp(
  `${BEGINS}(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(${NAMED_FOR}${IS})${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
const WITHOUT_COPULA = new RegExp(
  `(?<![\\p{L}\\p{N}]|boarding |ski |day )(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(\\s{1,3})${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
const OF_A_LINE =
  'the|my|our|your|new|wi-?fi|wlan|portal|guest|das|mein|dein|unser|neues|el|la|mi|le|mon|notre|minha|il|новый|новий|мой|наш|от|nowe';
/** A line that is nothing else: "wifi password sunflower" */
const LINE = new RegExp(
  `(?<=^|[\\n.!?;,]\\s{0,3})((?:(?:${OF_A_LINE})[\\s-]{1,3}){0,3}(?:${PASSWORDS}))(\\s{1,3})${PLAIN_VALUE}(?=[.!]?[^\\S\\n]{0,3}(?:\\n|$))`,
  'giu',
);
/** "use sunflower as the password" */
const USED_AS = new RegExp(
  `${BEGINS}(use|take|try|enter|type|set|nimm|nehmt|nutze|verwende|usa|usad|utilise|prends|użyj|wpisz|введи|используй|возьми|введіть|використай)(\\s{1,3})${PLAIN_VALUE}(?=\\s{1,3}(?:as|als|como|comme|come|jako|как|як|в качестве)\\s{1,3}(?:\\p{L}{1,5}\\s{1,3})?(?:${PASSWORDS}))`,
  'giu',
);
/** "login: sam hunter22" */
const WITH_NAME = new RegExp(
  `${BEGINS}(${WITH_NAME_WORDS})(\\s{0,3}[:=：]\\s{0,3}\\S{1,60}[\\s/|]{1,3})${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
/** Scripts without spaces, where nothing separates the word from its surroundings. */
const UNSPACED_WORDS = '密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드';
const UNSPACED = new RegExp(
  `(${UNSPACED_WORDS})(\\s{0,3}[:：=]\\s{0,3}|\\s{0,3}(?:是|为|為|は|が|는|은|가|이)\\s{0,3}|\\s{1,3})([!-~]{4,})`,
  'gu',
);
/** A cheap pre-check: every pattern above needs one of these words, and few texts have any. */
const HAS_PASSWORD_WORD = new RegExp(
  `${BEGINS}(?:${SECRET_NAMES}|${AMBIGUOUS_WORDS}|${WITH_NAME_WORDS})|${UNSPACED_WORDS}`,
  'iu',
);
/** Words after "password:" that are no password. Everything else is masked: one word too many does no harm. */
const NO_VALUE_WORDS =
  /^(?:still|not|wrong|correct|incorrect|expired|required|being|reset|needed|missing|valid|invalid|the|too|same|that|this|what|sent|noch|nicht|falsch|abgelaufen|incorrecta|incorrecto|toujours|incorrect|ещё|неверный|wciąż|hala)[.,!?]?$/iu;
/** Days, times, prices, plain numbers and addresses appear beside such words as well. */
const NOT_A_PASSWORD =
  /^(?:https?:|[\p{Sc}\d][\d.,:/-]{0,20}(?:[€$£%]|am|pm|th|st|nd|rd|h|eur|usd)?[.,;!?)]{0,3}$|\S{1,64}@\S{1,64}\.\S)/iu;

/** Masks passwords given beside the word for them, in the languages people write here. */
export function maskPasswords(text: string): string {
  if (!HAS_PASSWORD_WORD.test(text)) return text;
  return text
    .replaceAll(PASSPHRASE, maskUnless(isPassphraseTalk))
    .replaceAll(LABELED, maskUnless(isNoValue))
    .replaceAll(SAID, maskUnless(isPasswordTalk))
    .replaceAll(UNSPACED, maskUnless(isNoValue))
    .replaceAll(WITH_NAME, maskUnless(isNoPassword))
    .replaceAll(SAID_FOR, maskUnless(isNoPassword))
    .replaceAll(PASSWORD_FOR_PLACE, maskUnless(isOrdinary))
    .replaceAll(WITHOUT_COPULA, maskUnless(isNoPassword))
    .replaceAll(LINE, maskUnless(continuesSentence))
    .replaceAll(USED_AS, maskUnless(isPasswordTalk));
}

/** Masks the text after the word for a password, keeping the word and the separator, unless it is none. */
function maskUnless(isNone: (found: string, before: string) => boolean) {
  return (whole: string, word: string, between: string, found: string) =>
    found.startsWith(MASK) || isNone(found, word + between) ? whole : `${word}${between}${MASK}`;
}

function isNoValue(found: string): boolean {
  return NO_VALUE_WORDS.test(found);
}

function isNoPassword(found: string): boolean {
  return isNoValue(found) || NOT_A_PASSWORD.test(found);
}

/** Keys of a Wi-Fi are often digits alone. */
const ONLY_DIGITS = /^\d{4,}[.,;!?)]{0,3}$/u;

function isOrdinary(found: string, before: string): boolean {
  return isPasswordTalk(found, before) || (isNoPassword(found) && !ONLY_DIGITS.test(found));
}

/** Behind a colon, any words are it. */
function isPassphraseTalk(found: string, before: string): boolean {
  return !/[:=：]\s*$/.test(before) && isPasswordTalk(found.split(/\s/)[0] ?? '', before);
}

/** What people say about passwords in one language. `signs`: words beside the one for a password that tell the language. */
type Talk = { signs: string; words: string };

/**
 * Words about passwords that give none: "the password is wrong". One of the sentence's language after the word for a
 * password is no secret; any other is taken for one. Whole words in small letters; a `*` stands for a few more letters.
 */
const TALK: Talk[] = [
  {
    signs: 'is|was|are|to|this|for|of|use|take|try|enter|type|set|the|my|our|your',
    words: `still not wrong correct incorrect expir* requir* being reset resetting need miss valid invalid same that this what which
      where when who how sent set setting change changing block lock unlock lost forgot forgotten forget gone broke broken work
      accept reject refuse unknown known insecure strong stronger weak weaker unsafe short shorter long longer simple easy easier
      hard harder difficult differ* identical fine good okay ready here there below above attach* inside under underneath written
      stored saved shared print post hidden visible empty blank protect* encrypt* manag* policy policies rule field prompt recover*
      generat* please again today tomorrow tonight later soon asap only always never probably maybe case from with without your
      mine ours their another somewhere something anything nothing everything coming available tempor* permanent unique optional
      mandator* compromis* leak stolen hack next just really already also very quite problem issue list sheet file page link email
      fail does did could should would must have been will monday tuesday wednesday thursday friday saturday sunday enough safe
      stuff thing question help once well`,
  },
  {
    signs:
      'ist|lautet|war|nimm|nehmt|nutze|verwende|das|mein|dein|unser|passw(?:ort|örter)|kennwort|zugangsdaten|geheimwort',
    words: `noch nicht falsch* richtig* abgelaufen* vergess* geänder* gesperrt* entsperrt* ungültig* gültig* unbekannt* bekannt*
      nötig* erforderlich* leider stimmt stimmen geht funktion* neu neue neuer neuen alt alte alten derselb* dasselb* gleich*
      anders anderes jetzt immer wieder morgen heute später bitte schon zurück* kommt fehlt fehlen sicher* unsicher* stark*
      schwach* kurz lang einfach* schwer schwierig* gespeichert* hinterlegt* oben unten hier dort beim unter manager liste verloren`,
  },
  {
    // Spanish, Portuguese, French, Italian
    signs:
      'es|est|é|è|era|usa|usad|utilise|prends|el|la|mi|le|mon|notre|minha|il|contraseñas?|clave|mot de passe|mdp|senha|palavra-passe|parola',
    words: `incorrect* correct* caduc* expir* vencid* olvid* cambi* bloque* válid* inválid* segur* débil* fuerte nuev* misma mismo
      otra otro mañana luego ahora ahí aquí está están para necesari* equivocad* mala errad* fraca fraco fort forte inseguro insegura
      esquec* trocad* mudou outra outro mesma mesmo nova novo amanhã aqui toujours oublié* chang* bloqu* perdu* faux fausse
      mauvais* faible sécuris* nouveau nouvelle même autre demain ici là-bas dans périm* requis* invalide valide sbagliat* corrett*
      scadut* dimentic* bloccat* debole sicur* nuov* stess* altra altro domani adesso qui chiave giusta giusto`,
  },
  {
    signs: 'jest|był|użyj|wpisz|nowe|hasł\\p{L}{1,2}',
    words: `nieprawidłow* prawidłow* wygas* zapomni* zmieni* zmian* zablok* błędn* złe dobre poprawn* niepoprawn* słab* siln* nowe
      stare inne takie same jutro dzisiaj teraz potem później znowu proszę tutaj nadal wciąż tylko jeszcze potrzebn* wysł* wyśl*
      przysł* działa menedżer*`,
  },
  {
    // Russian, Ukrainian
    signs: '\\p{Script=Cyrillic}{1,20}',
    words: `неверн* верн* неправильн* правильн* истёк* истек* устарел* сброс* забыл* забыт* измен* смена сменил* сменён* сменен*
      поменя* заблок* слаб* сложн* простой простая просто новый новая новое новые нового старый старая старое старые старого другой
      другая другое другие тот такой такая так завтра сегодня сейчас потом позже опять снова пожалуйста тоже там здесь тут ещё еще
      нужн* подход* подош* работ* слетел* утер* пришл* скин* невірн* вірн* застар* забул* забут* зміни* змінен* інш* сьогодні
      зараз потім пізніше знову будь також отут потрібн* підход* підійш* працю*`,
  },
  {
    // Turkish
    signs: 'olarak|şifre\\p{L}{0,4}|parola\\p{L}{0,4}',
    words: `yanlış* doğru* değiş* unutt* unutul* geçersiz* geçerli* süresi aynı aynısı yeni yenisi yeniden eski eskisi başka yarın bugün
      şimdi sonra tekrar lütfen burada hala hâlâ gerek* lazım zayıf* güçlü* kaybo* kaybe* sıfırla* çalış* gönder*`,
  },
];

const ENDING = "(?:e?s|e?d|ing|ly|n['’]t|['’]\\p{L}{1,2})?";
/** Fewer letters behind a short beginning, which most other words begin with as well. */
const toPattern = (word: string) =>
  word.endsWith('*') ? `${word.slice(0, -1)}\\p{L}{0,${word.length > 5 ? 8 : 3}}` : `${word}${ENDING}`;
const TALK_PATTERNS = TALK.map(({ signs, words }) => ({
  signs: new RegExp(`(?<!\\p{L})(?:${signs})(?!\\p{L})`, 'iu'),
  words: new RegExp(`^(?:${words.split(/\s+/).map(toPattern).join('|')})$`, 'u'),
}));
/** Endings of verbs: behind a word for a password and a space, they continue the sentence: "password expired". */
const ENDS_LIKE_A_VERB =
  /(?:ed|ing|ado|ada|ido|ida|é|ée|ato|ata|uto|uta|[ую]|[аеёиыуя]т|ть|ться|л[аиоя]?|л[ао]?сь|лися|[аеён]н[аоы]?|[иыо]й|ая|ое|ые|[иї]ть|[ую]ть|[ая]ть|[ао]в|ився|ę|ł|ł[aoy]|li|n[aey]|ono|[aeu]je|[dt][ıiuü](?:m|n|k)?|m[ıiuü]ş|yor)$/u;
const AROUND = /^["'“„«`(]{1,3}|["'”“»`)\].,;:!?…]{1,5}$/gu;

/** Whether a word after "the password is" says something about the password, in the language of what stands before it. */
function isPasswordTalk(word: string, before: string): boolean {
  const ofSentence = TALK_PATTERNS.filter(({ signs }) => signs.test(before));
  return (ofSentence.length > 0 ? ofSentence : TALK_PATTERNS).some(({ words }) => words.test(stripMarks(word)));
}

/** Whether a word right after "password" is no password: it says something about it, or is a verb. */
function continuesSentence(word: string, before: string): boolean {
  return isPasswordTalk(word, before) || ENDS_LIKE_A_VERB.test(stripMarks(word));
}

function stripMarks(word: string): string {
  return word.slice(0, 80).replaceAll(AROUND, '').toLowerCase();
}
