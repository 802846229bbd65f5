const MASK = '••••';
const NOT_INSIDE_A_WORD = '(?<![\\p{L}\\p{N}])';

const CODE_WORDS = [
  'code|codes|otp|pin|tan|2fa|one[- ]time|verification|verify|login code|passcode|cvv|cvc',
  'code|sicherheitscode|bestätigungscode|einmalcode|kennziffer',
  'código|codigo|clave|verificación|verificação',
  'vérification|confidentiel',
  'код\\p{L}*|пин|пін|смс-код\\p{L}*|підтвердження|подтверждени\\p{L}*',
  'kod\\p{L}*|şifre\\p{L}*|doğrulama|weryfikacyjn\\p{L}*',
  'κωδικ\\p{L}*|קוד|رمز|كود|验证码|認証コード|인증번호|कोड',
].join('|');

const PASSWORD_WORDS = [
  'password|passwort|kennwort|passphrase|pass(?=\\s*[:=])|pwd|passwd|psw|secret|token|api[- _]?key',
  'contraseña|clave|mot de passe|mdp|senha|palavra-passe',
  'пароль|пароля|паролем|hasło|hasłem|hasło|şifre|şifrem|şifresi|parola|parolam|κωδικός|סיסמה|كلمة المرور|密码|パスワード|비밀번호',
].join('|');

const IS = '(?:\\s*[:=：]\\s*|\\s+(?:is|ist|lautet|es|est|é|to|-|–|—|это|це|jest|are)\\s+)';
/** What follows "the password is" when it is not told. All else is masked: a word too many does no harm. */
const NOT_TOLD =
  /^(?:still|not|wrong|correct|incorrect|expired|required|being|reset|needed|missing|valid|invalid|the|too|same|that|this|noch|nicht|falsch|abgelaufen|incorrecta|incorrecto|toujours|incorrect|ещё|неверный|wciąż|hala)[.,!?]?$/iu;

const CODE_NEAR_WORD = new RegExp(
  `(?:${CODE_WORDS})[^\\n\\p{Nd}]{0,40}?${NOT_INSIDE_A_WORD}(?:[A-Z]-)?\\p{Nd}{3,4}[- ]?\\p{Nd}{1,5}(?!\\p{Nd})`,
  'giu',
);
const WORD_NEAR_CODE = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:[A-Z]-)?\\p{Nd}{3,4}[- ]?\\p{Nd}{1,5}(?!\\p{Nd})(?=[^\\n\\p{Nd}]{0,30}(?<![\\p{L}])(?:${CODE_WORDS})(?!\\p{L}))`,
  'giu',
);
const CODE_ALONE = /^\s*(?:[A-Z]-)?\p{Nd}{3,4}[- ]?\p{Nd}{1,4}[.!]?\s*$/u;
const PASSWORD_SAID = new RegExp(`${NOT_INSIDE_A_WORD}(${PASSWORD_WORDS})(${IS})["'“«\`]?(\\S{4,})`, 'giu');
const PASSWORD_BARE = new RegExp(
  `${NOT_INSIDE_A_WORD}(${PASSWORD_WORDS})(\\s+)(?=\\S*[\\p{Nd}!@#$%^&*])(\\S{6,})`,
  'giu',
);
const DIGITS = /(?<![\p{Nd}+])(?:\p{Nd}[ -]?){12,}\p{Nd}/gu;
const CARD = /^\p{Nd}{13,19}$/u;
/** What most cards look like; the only form in which they are looked for between other numbers. */
const CARD_IN_FOURS = /^[2-6]\p{Nd}{3}(?:[ -]\p{Nd}{4}){3}$/u;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\p{Nd}{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu;
const KEYS =
  /(?<![\p{L}\p{N}])(?:(?:sk|pk|rk|ghp|gho|xox[a-z]|glpat|AKIA)[-_]?[A-Za-z0-9_-]{16,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|[0-9a-f]{32,}|\d{8,10}:[A-Za-z0-9_-]{30,})/gu;

/** Whether something in a text was masked. */
export function isSecret(text: string): boolean {
  return text.includes(MASK);
}

/** One-time codes, card and account numbers, passwords and keys become `••••`. Links keep their address. */
export function maskSecrets(text: string): string {
  if (CODE_ALONE.test(text) && !isYear(text)) return MASK;
  return text
    .replaceAll(KEYS, MASK)
    .replaceAll(IBAN, MASK)
    .replaceAll(DIGITS, maskCards)
    .replaceAll(PASSWORD_SAID, (whole, word: string, is: string, secret: string) =>
      NOT_TOLD.test(secret) ? whole : `${word}${is}${MASK}`,
    )
    .replaceAll(PASSWORD_BARE, `$1$2${MASK}`)
    .replaceAll(CODE_NEAR_WORD, found => found.replace(/(?:[A-Z]-)?\p{Nd}[\p{Nd} -]*$/u, MASK))
    .replaceAll(WORD_NEAR_CODE, MASK);
}

function isYear(text: string): boolean {
  return /^\s*(?:19|20)\d\d[.!]?\s*$/.test(text);
}

/** Several numbers in a row may be one card number in groups, or have one among them. */
function maskCards(run: string): string {
  if (isCardNumber(run)) return MASK;
  const groups = run.split(/([ -])/);
  for (let index = 0; index < groups.length; index += 2) {
    const four = groups.slice(index, index + 7);
    if (isCardNumber(groups[index] ?? '')) groups[index] = MASK;
    else if (CARD_IN_FOURS.test(four.join('')) && isCardNumber(four.join(''))) groups.splice(index, 7, MASK);
  }
  return groups.join('');
}

/** Luhn's check, which every payment card number passes. Digits of any script. */
function isCardNumber(text: string): boolean {
  const bare = text.replaceAll(/[ -]/g, '');
  if (!CARD.test(bare)) return false;
  const digits = [...bare].map(digitValue);
  const sum = digits.reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}

/** Decimal digits stand in runs of ten, zero first. */
function digitValue(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return /\d/.test(character) ? Number(character) : code - zero;
}
