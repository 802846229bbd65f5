/** Words around a person's name that are not part of it. Small letters, without dots, in plain Latin letters. */

/** Always a title in front of a name. */
const TITLES = new Set(
  `dr prof professor doctor doktor mr mrs ms mx sir herr frau mme mlle monsieur madame dott dottssa dottore sig signor
  signora senor senora sra srta dipling rev reverend rabbi capt captain col colonel gen sgt lt hon judge advokat gn gzha
  gospodin gospozha doc mgr mudr judr phdr bay sayin shri smt`.split(/\s+/),
);
/** A title in front of a given name or of two more names; else it may be a name: Don Johnson, Pan Wei, Lady Gaga. */
const WEAK_TITLES = new Set(
  `don dona pan pani miss dame lord lady fr hr sr ing mag father sister brother uncle aunt tante onkel tio tia oma opa
  sheikh shaikh sheik haji hajji teta tetia diadia dyadya tyotya`.split(/\s+/),
);
/** Honorifics that follow a name, in their own script where needed. */
const HONORIFICS_BEHIND = new Set(
  `bey hanim abi abla hoca usta san sama sensei bhai bhaiya didi ji saheb sahib 님 씨 さん 様 先生 さま`.split(/\s+/),
);
/** Japanese, Korean and Chinese ones are written without a space. Longest first. */
export const JOINED_HONORIFICS = [
  '-san',
  '-sama',
  '-sensei',
  '대표님',
  '부장님',
  '과장님',
  '선생님',
  '先生',
  'さん',
  'さま',
  '様',
  '님',
  '씨',
] as const;

const DEGREES = new Set(
  `phd mba msc bsc dds cpa pmp llm llb mbe obe cbe cfa dipling esq esquire frcs emba meng beng drph dvm pharmd`.split(
    /\s+/,
  ),
);
/** Only in capitals: Ma, Ba and Do are family names. */
const DEGREES_IN_CAPITALS = new Set('ba ma md jd rn pe ms do'.split(' '));

/** `sr` is a title in front and a generation at the end. */
const GENERATIONS = new Map([
  ['jr', 'jr'],
  ['junior', 'jr'],
  ['sr', 'sr'],
  ['senior', 'sr'],
  ['ii', 'ii'],
  ['iii', 'iii'],
  ['iv', 'iv'],
]);

export function isTitle(key: string): boolean {
  return TITLES.has(key);
}

export function isWeakTitle(key: string): boolean {
  return WEAK_TITLES.has(key);
}

export function isHonorificBehind(key: string): boolean {
  return HONORIFICS_BEHIND.has(key);
}

/** @param written as it stands: capitals tell MA from Ma */
export function isDegree(key: string, written: string): boolean {
  const isInCapitals = /^[\p{Lu}.]{2,6}$/u.test(written);
  return DEGREES.has(key) || (isInCapitals && DEGREES_IN_CAPITALS.has(key));
}

/** jr, sr, ii, iii, iv or ''. */
export function generationOf(key: string): string {
  return GENERATIONS.get(key) ?? '';
}
