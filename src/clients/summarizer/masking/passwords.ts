import { MASK } from './mask.ts';
import talk from './passwordTalk.json' with { type: 'json' };

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
const WORD = "[\\p{L}\\p{M}\\p{N}'’]{1,40}";
const VALUE = '["\'“„«`(]?(\\S{4,})';
const PLAIN_VALUE = '["\'“„«`(]?(\\p{L}{4,40})["\'”“»`)]?';
const PHRASES = 'passphrase|(?:seed|recovery|secret)[ -]phrase';
/** Looks like a password, with a digit or a sign in it. */
const LOOKS_LIKE_ONE = '(?=[^\\s]{0,60}[\\p{Nd}!@#$%^&*])(?=[^\\s]{0,60}\\p{L})(\\S{6,})';
const OF_A_LINE =
  'the|my|our|your|new|wi-?fi|wlan|portal|guest|das|mein|dein|unser|neues|el|la|mi|le|mon|notre|minha|il|новый|новий|мой|наш|от|nowe';
/** Scripts without spaces, where nothing separates the word from its surroundings. */
const UNSPACED_WORDS = '密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드';
/** Words after "password:" that are no password. Everything else is masked: one word too many does no harm. */
const NO_VALUE_WORDS =
  /^(?:still|not|wrong|correct|incorrect|expired|required|being|reset|needed|missing|valid|invalid|the|too|same|that|this|what|sent|noch|nicht|falsch|abgelaufen|incorrecta|incorrecto|toujours|incorrect|ещё|неверный|wciąż|hala)[.,!?]?$/iu;
/** Days, times, prices, plain numbers and addresses appear beside such words as well. */
const NOT_A_PASSWORD =
  /^(?:https?:|[\p{Sc}\d][\d.,:/-]{0,20}(?:[€$£%]|am|pm|th|st|nd|rd|h|eur|usd)?[.,;!?)]{0,3}$|\S{1,64}@\S{1,64}\.\S)/iu;
const isNoValue = (found: string) => NO_VALUE_WORDS.test(found);
const isNoPassword = (found: string) => isNoValue(found) || NOT_A_PASSWORD.test(found);

const given = (source: string, unless: (found: string, before: string) => boolean) => {
  return { pattern: new RegExp(source, 'giu'), unless };
};

/** What gives a password: the word for it, what is between, and the password, unless it is none. Tried in this order. */
const PATTERNS = [
  // "passphrase: correct horse battery staple": all of its words on the line.
  given(
    `${BEGINS}(${PHRASES})((?:${FOR})?(?:${COLON}|\\s{1,3}(?:is|was|ist|lautet|es|est|è)\\s{1,3}))["'“„«\`(]?(${WORD}(?:[^\\S\\n-]{0,2}[ -]${WORD}){1,23})`,
    isPassphraseTalk,
  ),
  // "password: x": whatever follows.
  given(`${BEGINS}(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(${COLON})${VALUE}`, isNoValue),
  // "the password is x": whatever follows but what people say of passwords.
  given(`${BEGINS}(${SECRET_NAMES})(${COPULA})${VALUE}`, isPasswordTalk),
  given(
    `(${UNSPACED_WORDS})(\\s{0,3}[:：=]\\s{0,3}|\\s{0,3}(?:是|为|為|は|が|는|은|가|이)\\s{0,3}|\\s{1,3})([!-~]{4,})`,
    isNoValue,
  ),
  // "login: sam hunter22"
  given(`${BEGINS}(${WITH_NAME_WORDS})(\\s{0,3}[:=：]\\s{0,3}\\S{1,60}[\\s/|]{1,3})${LOOKS_LIKE_ONE}`, isNoPassword),
  // "the password you need is x"
  given(`${BEGINS}(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(${NAMED_FOR}${IS})${LOOKS_LIKE_ONE}`, isNoPassword),
  // "the password for the portal is x"
  given(`${BEGINS}(${PASSWORDS})(${FOR}${IS})${VALUE}`, isOrdinary),
  // "pass x"
  given(
    `(?<![\\p{L}\\p{N}]|boarding |ski |day )(${SECRET_NAMES}|${AMBIGUOUS_WORDS})(\\s{1,3})${LOOKS_LIKE_ONE}`,
    isNoPassword,
  ),
  // A line that is nothing else: "wifi password sunflower"
  given(
    `(?<=^|[\\n.!?;,]\\s{0,3})((?:(?:${OF_A_LINE})[\\s-]{1,3}){0,3}(?:${PASSWORDS}))(\\s{1,3})${PLAIN_VALUE}(?=[.!]?[^\\S\\n]{0,3}(?:\\n|$))`,
    continuesSentence,
  ),
  // "use sunflower as the password"
  given(
    `${BEGINS}(use|take|try|enter|type|set|nimm|nehmt|nutze|verwende|usa|usad|utilise|prends|użyj|wpisz|введи|используй|возьми|введіть|використай)(\\s{1,3})${PLAIN_VALUE}(?=\\s{1,3}(?:as|als|como|comme|come|jako|как|як|в качестве)\\s{1,3}(?:\\p{L}{1,5}\\s{1,3})?(?:${PASSWORDS}))`,
    isPasswordTalk,
  ),
];
/** A cheap pre-check: every pattern needs one of these words, and few texts have any. */
const HAS_PASSWORD_WORD = new RegExp(
  `${BEGINS}(?:${SECRET_NAMES}|${PHRASES}|${AMBIGUOUS_WORDS}|${WITH_NAME_WORDS})|${UNSPACED_WORDS}`,
  'iu',
);

/** Masks passwords given beside the word for them, in the languages people write here. */
export function maskPasswords(text: string): string {
  if (!HAS_PASSWORD_WORD.test(text)) return text;
  return PATTERNS.reduce(
    (masked, { pattern, unless }) =>
      masked.replaceAll(pattern, (whole, word: string, between: string, found: string) =>
        found.startsWith(MASK) || unless(found, word + between) ? whole : `${word}${between}${MASK}`,
      ),
    text,
  );
}

/** Keys of a Wi-Fi are often digits alone. */
const ONLY_DIGITS = /^\d{4,}[.,;!?)]{0,3}$/u;

/** "The password for the portal goes to 15000 users" gives none. */
function isOrdinary(found: string, before: string): boolean {
  const isKey = ONLY_DIGITS.test(found) && !/\b(?:to|this)\s{1,3}$/iu.test(before);
  return isPasswordTalk(found, before) || (isNoPassword(found) && !isKey);
}

/** Where something is, or how: "in the safe", "on the fridge door". */
const PLACE = /^(?:in|on|at|under|behind|with|from|for|by|im|auf|bei|unter|en|dans|sur|sous)$/iu;

/** Behind a colon any words are the phrase; behind "is", not those about it: "still the same", "stored in the safe". */
function isPassphraseTalk(found: string, before: string): boolean {
  const [first = '', second = ''] = found.split(/[\s-]+/);
  if (/[:=：]\s*$/.test(before)) return false;
  return PLACE.test(first) || (isPasswordTalk(first, before) && (PLACE.test(second) || isPasswordTalk(second, before)));
}

/**
 * Words about passwords that give none, by language: "the password is wrong". One of the sentence's language after the word
 * for a password is no secret; any other is taken for one. Whole words in small letters; a `*` stands for a few more
 * letters. `signs`: words beside the one for a password that tell the language.
 */
type Talk = { signs: string; words: string };

const ENDING = "(?:e?s|e?d|ing|ly|n['’]t|['’]\\p{L}{1,2})?";
/** Fewer letters behind a short beginning, which most other words begin with as well. */
const toPattern = (word: string) =>
  word.endsWith('*') ? `${word.slice(0, -1)}\\p{L}{0,${word.length > 5 ? 8 : 3}}` : `${word}${ENDING}`;
const TALK_PATTERNS = talk.map(({ signs, words }: Talk) => ({
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

const stripMarks = (word: string): string => word.slice(0, 80).replaceAll(AROUND, '').toLowerCase();
