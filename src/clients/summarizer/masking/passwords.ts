import { MASK } from './mask.ts';

const WORDS = [
  'passwords?|passphrase|passwd|pwd|psw|secret|token|(?:api|access|private|secret|licen[sc]e)[- _]{0,2}key',
  'passw(?:ort|örter)|kennwort|zugangsdaten|geheimwort|contraseñas?|clave|mot de passe|mdp|code secret|senha|palavra-passe',
  "parola d'ordine|wachtwoord|lösenord|adgangskode|passord|salasana|jelszó|heslo|parolă",
  'парол[ьяею]м?|парол(?:ем|і|и)|хасло|hasł(?:o|a|em|u)|şifre(?:m|si|miz|niz)?|parola(?:m|sı|mız|nız)?',
  'κωδικός(?: πρόσβασης)?|סיסמה|הסיסמה|كلمة (?:المرور|السر)|رمز عبور|पासवर्ड|mật khẩu|kata sandi|รหัสผ่าน',
].join('|');
/** Words that mean other things as well: a ticket is a pass. */
const MAYBE = 'pass|pw|logins?|credentials';
const WITH_NAME_WORDS =
  'logins?|credentials|zugangsdaten|user(?:name)?|account|логин|логін|usuario|utilisateur|kullanıcı adı';
const IS =
  '\\s{0,3}[:=：]\\s{0,3}|\\s{1,3}(?:is|was|are|ist|lautet|war|es|est|é|era|to|this|-|–|—|это|це|был|jest|to|è|är|er|olarak)\\s{1,3}';
const NAMED_FOR = '(?:\\s{1,3}[^\\s.!?:=]{1,20}){0,4}?';
const VALUE = '["\'“„«`(]?(\\S{4,})';

/** "password: x", "the password is x": whatever follows. */
const SAID = new RegExp(`(?<![\\p{L}\\p{N}])(${WORDS})(${IS})${VALUE}`, 'giu');
const MAYBE_SAID = new RegExp(`(?<![\\p{L}\\p{N}])(${MAYBE})(\\s{0,3}[:=：]\\s{0,3})${VALUE}`, 'giu');
/** "password for the portal is x", "pass x": only what looks like one, with a digit or a sign in it. */
const LOOKS_LIKE_ONE = '(?=[^\\s]{0,60}[\\p{Nd}!@#$%^&*])(?=[^\\s]{0,60}\\p{L})';
const SAID_FOR = new RegExp(
  `(?<![\\p{L}\\p{N}])(${WORDS}|${MAYBE})(${NAMED_FOR}(?:${IS}))${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
const BARE = new RegExp(
  `(?<![\\p{L}\\p{N}]|boarding |ski |day )(${WORDS}|${MAYBE})(\\s{1,3})${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
/** "login: sam hunter22" */
const WITH_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(${WITH_NAME_WORDS})(\\s{0,3}[:=：]\\s{0,3}\\S{1,60}[\\s/|]{1,3})${LOOKS_LIKE_ONE}(\\S{6,})`,
  'giu',
);
/** Scripts without spaces: nothing parts the word from what stands around it. */
const UNSPACED =
  /(密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드)(\s{0,3}[:：=]\s{0,3}|\s{0,3}(?:是|为|為|は|が|는|은|가|이)\s{0,3}|\s{1,3})([!-~]{4,})/gu;
/** What follows "the password is" when it is not told. All else is masked: a word too many does no harm. */
const NOT_TOLD =
  /^(?:still|not|wrong|correct|incorrect|expired|required|being|reset|needed|missing|valid|invalid|the|too|same|that|this|what|sent|noch|nicht|falsch|abgelaufen|incorrecta|incorrecto|toujours|incorrect|ещё|неверный|wciąż|hala)[.,!?]?$/iu;
/** Days, times, prices, plain numbers and addresses are told beside such words as well. */
const NOT_ONE =
  /^(?:https?:|[\p{Sc}\d][\d.,:/-]{0,20}(?:[€$£%]|am|pm|th|st|nd|rd|h|eur|usd)?[.,;!?)]{0,3}$|\S{1,64}@\S{1,64}\.\S)/iu;

/** Passwords told beside the word for them, in the languages people write here. */
export function maskPasswords(text: string): string {
  const unlessUntold = (whole: string, word: string, is: string, secret: string) =>
    NOT_TOLD.test(secret) || secret.startsWith(MASK) ? whole : `${word}${is}${MASK}`;
  const ifLikely = (whole: string, word: string, is: string, secret: string) =>
    NOT_ONE.test(secret) ? whole : unlessUntold(whole, word, is, secret);
  return text
    .replaceAll(SAID, unlessUntold)
    .replaceAll(MAYBE_SAID, unlessUntold)
    .replaceAll(UNSPACED, unlessUntold)
    .replaceAll(WITH_NAME, ifLikely)
    .replaceAll(SAID_FOR, ifLikely)
    .replaceAll(BARE, ifLikely);
}
