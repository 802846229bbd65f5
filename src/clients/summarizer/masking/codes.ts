import { MASK } from './mask.ts';

/** Words that mean a one-time code and nothing else. */
const CODE_WORDS = [
  'otp|2fa|tfa|mfa|pin|tan|cvv2?|cvc2?|pass ?code|one[- ]time (?:code|password|pin)|(?:verification|security|login|log-in|sign-in|access|confirmation|authentication|auth|activation|reset|backup|recovery|door|gate|alarm|entry|unlock|sms) (?:code|number|pin)s?',
  '(?:sicherheits|bestätigungs|einmal|anmelde|zugangs|tür|login|aktivierungs|freischalt)-?codes?|kennziffer|código de (?:verificación|seguridad|acceso|verificação|segurança|acesso)|codigo de (?:verificacion|seguranca)',
  "code (?:de (?:vérification|sécurité|confirmation|connexion)|confidentiel|pin|d'accès)|codice (?:di verifica|di sicurezza|di accesso|otp|pin)|verificatiecode|beveiligingscode|engångskod|bekræftelseskode",
  '(?:смс-)?код(?:а|у|ом)? (?:подтверждени[яею]|доступа|безопасности|входа|для входа|из смс|підтвердження|доступу|безпеки|входу)|пин(?:-?код(?:а|у|ом)?)?|пін(?:-?код(?:у|ом)?)?|смс-код(?:а|у|ом)?',
  'kod(?:u|em)? (?:weryfikacyjn(?:y|ego|ym)|dostępu|sms|pin|bezpieczeństwa|logowania|potwierdzający)|(?:doğrulama|onay|güvenlik|giriş) kod\\p{L}{0,8}|şifre\\p{L}{0,6}',
  'key ?(?:safe|box)|lock ?box|combination(?: lock)?|schlüssel(?:safe|tresor|kasten|box)|zahlenschloss|caja de (?:las )?llaves|cofre d[ae]s? chaves|(?:coffre|boîte) à clés?|cassetta delle chiavi|(?:сейф|ключниц)\\p{L}{0,3}|(?:skrzynka|sejf) na klucze|anahtar kutus\\p{L}{1,3}',
  'κωδικ(?:ός|ό|οί) (?:επαλήθευσης|ασφαλείας|πρόσβασης)|קוד (?:אימות|כניסה|גישה)|رمز (?:التحقق|الدخول|التأكيد)|कोड',
].join('|');
/** Words that may mean other codes as well. */
const AMBIGUOUS_CODE_WORDS =
  'codes?|código|codigo|clave|codice|код(?:а|у|ом|ы)?|kod(?:u|em|unuz|un|um)?|κωδικός|קוד|رمز|كود|verification|verificación|verificação|vérification|підтвердження|подтверждени[яею]|doğrulama|weryfikacj[aię]';
const NOT_OTHER_CODES =
  '(?<!(?:error|status|exit|postal|post|zip|area|country|city|product|item|article|discount|promo|coupon|voucher|referral|order|tracking|customs|hs|tariff|commodity|bank|sort|branch|swift|tax|vat|source|dress|bar|qr|colou?r|почтовый|поштовий|pocztowy|posta|produkt)[ -]?)';
const CJK = '验证码|驗證碼|校验码|認証コード|確認コード|認証番号|인증번호|인증코드|보안코드';

/** 4 to 9 digits of any script, in two groups at most, perhaps behind a letter: `G-482913`. */
const CODE =
  '(?:[A-Z]-)?(?<![\\p{N}.,])\\p{Nd}{3,4}[- ]?\\p{Nd}{1,5}(?![\\p{Nd}]|[.,]\\p{Nd}|\\s?(?:%|€|\\$|£|₽|₴|zł|eur|usd|gbp|pcs|pieces|units|stück|szt|шт))';
const SAID_AS =
  '\\s{0,3}[:=：#-]\\s{0,3}|[^\\n\\p{Nd}.!?]{0,25}?\\s(?:is|was|are|ist|lautet|war|es|est|é|è|era|это|це|был|jest|to|-|–|—)\\s{1,3}|\\s{1,3}';
const LOG_IN =
  'log ?in|log ?on|sign ?in|verify|confirm|authenticate|anmeld|einlogg|anzumelden|bestätig|iniciar sesión|acceder|verificar|confirmar|connecter|connexion|confirmer|vérifier|entrar|iniciar sessão|войти|входа|подтвер|увійти|входу|підтвер|zalogow|logowa|potwierd|giriş|oturum|doğrula';

const AFTER_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${CODE_WORDS})(?!\\p{L})[^\\n\\p{Nd}]{0,40}?(?<![\\p{L}\\p{N}])${CODE}`,
  'giu',
);
const AFTER_MAYBE = new RegExp(
  `(?<![\\p{L}\\p{N}])${NOT_OTHER_CODES}(?:${AMBIGUOUS_CODE_WORDS})(?:${SAID_AS})["'“«(]?${CODE}`,
  'giu',
);
const BEFORE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}.,])${CODE}(?=[^\\n\\p{Nd}.!?]{0,30}(?<!\\p{L})${NOT_OTHER_CODES}(?:${CODE_WORDS}|${AMBIGUOUS_CODE_WORDS})(?!\\p{L}))`,
  'giu',
);
/** "Use 991122 to log in", "giriş yapmak için 991122 kullanın" */
const TO_LOG_IN = new RegExp(
  `(?<![\\p{L}\\p{N}.,])${CODE}(?=,?\\s{1,3}(?:to|for|um|zum|zur|para|pour|per|для|чтобы|щоб|aby|żeby|by|do|as)\\s[^\\n\\p{Nd}.!?]{0,30}?(?:${LOG_IN}))|(?<=(?:${LOG_IN})[^\\n\\p{Nd}.!?]{0,20}\\s(?:için|with|mit|con|avec|com|using|use|enter|type)\\s{1,2})${CODE}`,
  'giu',
);
const BEHIND_CJK = new RegExp(`(?:${CJK})[^\\n\\p{Nd}]{0,12}?${CODE}|${CODE}(?=[^\\n\\p{Nd}]{0,12}(?:${CJK}))`, 'giu');
const ALONE = /^\s{0,100}(?:[A-Z]-)?\p{Nd}{3,4}[- ]?\p{Nd}{1,4}[.!]?\s{0,100}$/u;
const YEAR_ALONE = /^\s{0,100}(?:19|20)\d\d[.!]?\s{0,100}$/;
const LAST_NUMBER = /(?:[A-Z]-)?\p{Nd}[\p{Nd} -]{0,12}$/u;
const YEAR = /(?<!\p{Nd})(?:19|20)\d\d$/u;

/** Masks one-time codes: a message that is nothing else, or a number beside a word for one. */
export function maskCodes(text: string): string {
  if (!/\p{Nd}{3}/u.test(text)) return text;
  if (ALONE.test(text) && !YEAR_ALONE.test(text)) return MASK;
  const maskLastNumber = (found: string) => found.replace(LAST_NUMBER, MASK);
  const maskUnlessYear = (found: string) => (YEAR.test(found) ? found : maskLastNumber(found));
  return text
    .replaceAll(AFTER_WORD, maskLastNumber)
    .replaceAll(BEHIND_CJK, maskLastNumber)
    .replaceAll(BEFORE_WORD, maskUnlessYear)
    .replaceAll(TO_LOG_IN, maskLastNumber)
    .replaceAll(AFTER_MAYBE, maskUnlessYear);
}
