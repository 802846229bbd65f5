import { MASK } from './mask.ts';

/** Prefixes of services' keys, from their documentation; the rest of a key is random. */
const PREFIXES = [
  // AI services, payments, chats, mail
  /^(?:(?:sk|pk|rk|whsec|gsk|hf|xai|r8|re)[-_]|xox[a-z]-|xapp-|SG\.|sq0[a-z]{3}-|EAA[A-Z]|key-[0-9a-f]{30})/,
  // Code, packages, hosting, CRMs
  /^(?:gh[opusr]_|github_pat_|gl(?:pat|rt|cbt)-|npm_|pypi-|dckr_pat_|ATATT|dop_v1_|shp(?:at|ss|ca|pa)_|sbp_|tskey-|lin_api_|figd_|ntn_|secret_|pat-(?:na|eu)\d-)/,
  // Clouds
  /^(?:AKIA|ASIA|AIza|ya29\.|GOCSPX-|LTAI|hv[sb]\.|AGE-SECRET-KEY-)/,
];
const RANDOM_CHARACTERS = /[A-Za-z0-9]{12}/;
const MIN_PREFIXED_KEY_LENGTH = 20;
const HEX_KEY = /^(?:0x)?[0-9a-f]{32,}$/i;
/** Addresses of wallets and contracts are public. */
const WALLET = /^0x[0-9a-f]{40}$/i;
const WEB_TOKEN = /^eyJ[\w-]{8,}/;
/** A run of the characters that keys consist of, taken whole: nothing after it can fail to match. */
const RUNS = /(?<![\w+/.-])[\w+/.-]{16,}={0,2}/g;
const SEPARATORS = /[.+_-]/;
/** Names of documents, but not of files that hold keys. */
const FILE = /^[^/]+\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|txt|zip|pages|jpe?g|png|heic|mp4|mov|dwg|eml|ics)$/i;
/** "2026Q4v3": of a version, in a name. */
const MAX_PART_LENGTH = 12;
const BOT_TOKEN = /(?<!\d)\d{8,10}:[\w-]{30,}/g;
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Words for what opens something; an account manager is no key. */
const KEY_WORDS =
  '(?:api|app|access|private|secret|service|account|deploy|licen[sc]e)?[- _]?keys?|tokens?|bearer|secrets?|credentials?|pass(?:word|phrase|code)?|schlüssel|zugangsschlüssel|clave|llave|clé|chave|chiave|klucz(?:a|em)?|ключ(?:а|ом|і)?|токен(?:а|ом)?|anahtar(?:ı|ım)?';
/**
 * An id of 128 bits usually just names something; beside a word for a key, or alone in its message, it opens something.
 * Its digits are searched for first: the words are everywhere.
 */
const UUID_AS_KEY = new RegExp(
  `^\\s{0,3}${UUID}\\s{0,3}$|(?<![\\w-])(?=${UUID}(?![\\w-]))(?<=(?<![\\p{L}\\p{N}])(?:${KEY_WORDS})(?!\\p{L})[^\\n.;!?,]{0,30}?)${UUID}|(?<![\\w-])${UUID}(?![\\w-])(?=\\s{1,3}(?:is|ist|es|est|é|è|to|это|це|-|–|—)\\s(?:\\p{L}{1,10}\\s){0,2}(?:${KEY_WORDS})(?!\\p{L}))`,
  'giu',
);

/** Masks services' keys, private keys in a block or in hexadecimal digits, web tokens, words that look random. */
export function maskKeys(text: string): string {
  const shown = withoutKeyBlocks(text).replaceAll(BOT_TOKEN, MASK);
  return (shown.includes('-') ? shown.replaceAll(UUID_AS_KEY, MASK) : shown).replaceAll(RUNS, maskRun);
}

/** A block that was cut off, or never ended, is masked to the end of the text. */
function withoutKeyBlocks(text: string): string {
  if (!text.includes('-----BEGIN ')) return text;
  const [before = '', ...blocks] = text.split(KEY_BEGINS);
  const behind = blocks.map(block => {
    const end = KEY_ENDS.exec(block);
    return `${MASK}${end ? block.slice(end.index + end[0].length) : ''}`;
  });
  return before + behind.join('');
}

function maskRun(found: string): string {
  // A sentence's full stop is no part of the key.
  const run = found.endsWith('.') ? found.slice(0, -1) : found;
  return isKey(run) ? MASK + found.slice(run.length) : found;
}

function isKey(run: string): boolean {
  if (WEB_TOKEN.test(run)) return true;
  if (isFileName(run)) return isKeyOfService(run) || run.split(SEPARATORS).some(isHexKey);
  if (isRandom(run, 40)) return true;
  return run.split('/').some(part => isKeyWord(part) || part.split(SEPARATORS).some(isHexKey));
}

/** Words and numbers with marks between them alternate as keys do. A key with the ending of a file has a longer part. */
function isFileName(run: string): boolean {
  return FILE.test(run) && run.split(SEPARATORS).every(part => !isRandom(part, MAX_PART_LENGTH));
}

const isKeyWord = (word: string): boolean => isRandom(word, 28) || isKeyOfService(word);

function isKeyOfService(word: string): boolean {
  return (
    word.length >= MIN_PREFIXED_KEY_LENGTH && RANDOM_CHARACTERS.test(word) && PREFIXES.some(prefix => prefix.test(word))
  );
}

const isHexKey = (word: string): boolean => HEX_KEY.test(word) && !WALLET.test(word);

/** Whether at least `shortest` small letters, capitals and digits alternate all the time, as they do in no word. */
export function isRandom(run: string, shortest: number): boolean {
  if (run.length < shortest || !/\d/.test(run) || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  let changes = 0;
  for (let at = 1; at < run.length; at += 1) if (characterClass(run[at]) !== characterClass(run[at - 1])) changes += 1;
  return changes >= 0.35 * run.length;
}

function characterClass(character = ''): number {
  if (character >= '0' && character <= '9') return 0;
  if (character >= 'a' && character <= 'z') return 1;
  return character >= 'A' && character <= 'Z' ? 2 : 3;
}
