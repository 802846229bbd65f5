import { MASK } from './mask.ts';
import { continuesSentence, isPasswordTalk } from './passwordTalk.ts';

/** Words that mean a password and nothing else. */
const PASSWORDS = [
  'passwords?|passphrase|passwd|pwd|psw',
  'passw(?:ort|örter)|kennwort|zugangsdaten|geheimwort|contraseñas?|mot de passe|mdp|senha|palavra-passe',
  "parola d'ordine|wachtwoord|lösenord|adgangskode|passord|salasana|jelszó|heslo|parolă",
  'парол[ьяею]м?|парол(?:ем|і|и)|хасло|hasł(?:o|a|em|u)|şifre(?:m|si|miz|niz)?|parola(?:m|sı|mız|nız)?',
  'κωδικός(?: πρόσβασης)?|סיסמה|הסיסמה|كلمة (?:المرور|السر)|رمز عبور|पासवर्ड|mật khẩu|kata sandi|รหัสผ่าน',
].join('|');
const WORDS = `${PASSWORDS}|secret|token|(?:api|access|private|secret|licen[sc]e)[- _]{0,2}key|clave|code secret`;
/** Words that mean other things as well: a ticket is a pass. */
const MAYBE = 'pass|pw|logins?|credentials';
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
const LABELED = new RegExp(`${BEGINS}(${WORDS}|${MAYBE})(${COLON})${VALUE}`, 'giu');
/** "the password is x", "the password for the portal is x": whatever follows except what people say about passwords. */
const SAID = new RegExp(`${BEGINS}(${WORDS})(${COPULA})${VALUE}`, 'giu');
const SAID_OF_ITS_PLACE = new RegExp(`${BEGINS}(${PASSWORDS})(${FOR}${IS})${VALUE}`, 'giu');
/** "the password you need is x", "pass x": only what looks like a password, with a digit or a sign in it. */
const LOOKS_LIKE_ONE = '(?=[^\\s]{0,60}[\\p{Nd}!@#$%^&*])(?=[^\\s]{0,60}\\p{L})';
const SAID_FOR = new RegExp(`${BEGINS}(${WORDS}|${MAYBE})(${NAMED_FOR}${IS})${LOOKS_LIKE_ONE}(\\S{6,})`, 'giu');
const BARE = new RegExp(
  `(?<![\\p{L}\\p{N}]|boarding |ski |day )(${WORDS}|${MAYBE})(\\s{1,3})${LOOKS_LIKE_ONE}(\\S{6,})`,
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
/** Scripts without spaces: nothing separates the word from what is around it. */
const UNSPACED_WORDS = '密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드';
const UNSPACED = new RegExp(
  `(${UNSPACED_WORDS})(\\s{0,3}[:：=]\\s{0,3}|\\s{0,3}(?:是|为|為|は|が|는|은|가|이)\\s{0,3}|\\s{1,3})([!-~]{4,})`,
  'gu',
);
/** Each of the patterns above has one of these words in it, and few texts have any. */
const NAMED = new RegExp(`${BEGINS}(?:${WORDS}|${MAYBE}|${WITH_NAME_WORDS})|${UNSPACED_WORDS}`, 'iu');
/** What follows "password:" when no password is given. All else is masked: one word too many does no harm. */
const NOT_TOLD =
  /^(?:still|not|wrong|correct|incorrect|expired|required|being|reset|needed|missing|valid|invalid|the|too|same|that|this|what|sent|noch|nicht|falsch|abgelaufen|incorrecta|incorrecto|toujours|incorrect|ещё|неверный|wciąż|hala)[.,!?]?$/iu;
/** Days, times, prices, plain numbers and addresses appear beside such words as well. */
const NOT_ONE =
  /^(?:https?:|[\p{Sc}\d][\d.,:/-]{0,20}(?:[€$£%]|am|pm|th|st|nd|rd|h|eur|usd)?[.,;!?)]{0,3}$|\S{1,64}@\S{1,64}\.\S)/iu;

/** Masks passwords given beside the word for them, in the languages people write here. */
export function maskPasswords(text: string): string {
  if (!NAMED.test(text)) return text;
  return text
    .replaceAll(LABELED, unless(isUntold))
    .replaceAll(SAID, unless(isPasswordTalk))
    .replaceAll(UNSPACED, unless(isUntold))
    .replaceAll(WITH_NAME, unless(isNoPassword))
    .replaceAll(SAID_FOR, unless(isNoPassword))
    .replaceAll(SAID_OF_ITS_PLACE, unless(isOrdinary))
    .replaceAll(BARE, unless(isNoPassword))
    .replaceAll(LINE, unless(continuesSentence))
    .replaceAll(USED_AS, unless(isPasswordTalk));
}

/** Masks what was found after the word for it, keeping the word and what is between, unless it is not a password. */
function unless(isNone: (found: string) => boolean) {
  return (whole: string, word: string, between: string, found: string) =>
    found.startsWith(MASK) || isNone(found) ? whole : `${word}${between}${MASK}`;
}

function isUntold(found: string): boolean {
  return NOT_TOLD.test(found);
}

function isNoPassword(found: string): boolean {
  return isUntold(found) || NOT_ONE.test(found);
}

function isOrdinary(found: string): boolean {
  return isPasswordTalk(found) || isNoPassword(found);
}
