import { joinTokens, type Token, tokenKeys, toToken } from './tokens.ts';

/* Words around a person's name that are not part of it. Small letters, without dots. */

const TITLES = tokenKeys(`
  dr prof professor doctor mr mrs ms mx sir herr frau mme mlle monsieur madame dott sig signor signora senor senora sra srta
  med dipling ing mag rev rabbi capt mgr mudr judr sayin shri gn gospodin`);
const ENDINGS = tokenKeys('phd mba msc bsc cpa cfa llm esq bey hanim san sensei bhai ji');
/** Degrees, recognized in capitals only: Ma and Ba are family names. */
const DEGREE_IN_CAPITALS = /^(?:M\.?A|B\.?A|M\.?D|J\.?D|R\.?N)\.?$/;
/** Written without a space in Japanese, Korean and Chinese. */
const JOINED_ENDING = /(?<=.)(?:先生|さん|様|님|씨)$/u;
const GENERATIONS = tokenKeys('jr sr ii iii iv');
const ROLES = tokenKeys(`
  ceo cto cfo coo hr vp founder cofounder owner director manager sales recruiter developer engineer designer consultant lawyer
  accountant plumber electrician driver realtor trainer teacher photographer assistant head klempner elektriker hausmeister
  vermieter makler anwalt geschäftsführer менеджер директор бухгалтер юрист водитель сантехник электрик мастер няня врач`);
/** Words that count only beside a role: Head of Sales, Co-Founder & CEO. */
const ROLE_FILLERS = tokenKeys('of and und the for de & at senior junior general account product marketing it');

/** A name taken apart. `title`: `Prof. Dr.`; `suffix`: `Jr.`, as written; `generation`: jr, sr, ii, iii, iv or '', for comparing. */
export type PersonWords = { title: string; names: readonly Token[]; suffix: string; generation: string };

/** Strips titles, roles and suffixes. Digits are dropped. */
export function splitPersonWords(tokens: readonly Token[]): PersonWords {
  let names = tokens.map(token =>
    GENERATIONS.has(token.key) ? token : toToken(token.written.replace(/-?\p{N}+-?/gu, '').replace(JOINED_ENDING, '')),
  );
  const stripped: Token[] = [];
  for (let [next] = names; next && names.length > 1 && (isTitle(next) || isRole(next)); [next] = names) {
    stripped.push(next);
    names = names.slice(1);
  }
  const behind: Token[] = [];
  for (let last = names.at(-1); last && isSuffix(last, names); last = names.at(-1)) {
    behind.push(last);
    names = names.slice(0, -1);
  }
  const suffix = behind.find(({ key }) => GENERATIONS.has(key));
  return {
    title: joinTokens(stripped.filter(isTitle)),
    names,
    suffix: suffix?.written ?? '',
    generation: suffix?.key ?? '',
  };
}

/** Minnie Driver, Anthony Head: in a name of two words a role is a surname, unless it is an abbreviation. */
function isSuffix(last: Token, names: readonly Token[]): boolean {
  const isRoleHere = isRole(last) && (names.length > 2 || /^\p{Lu}+$/u.test(last.written));
  return names.length > 1 && (isAddition(last) || isRoleHere);
}

/** Whether the word belongs to the name even after a comma: MBA, Jr. */
export function isAddition({ key, written }: Token): boolean {
  return ENDINGS.has(key) || DEGREE_IN_CAPITALS.test(written) || GENERATIONS.has(key);
}

export const isTitle = ({ key }: Token): boolean => TITLES.has(key);

/** Whether the words are an occupation and nothing else. */
export function isRoleOnly(words: readonly Token[]): boolean {
  return words.some(isRole) && words.every(word => isRole(word) || ROLE_FILLERS.has(word.key));
}

const isRole = ({ key }: Token): boolean => ROLES.has(key);
