/** Small words of family names. Small letters, without dots and apostrophes, in plain Latin letters. */

const PARTICLES = new Set(
  `van von vom zu zur zum den der de del della dello degli dei di da do dos das du des la le las los lo el al ul ur bin
  ibn ben bint abu y e i ter ten te op st ste san santa saint sint und af av ní ni nic mac mc fitz hadj ait ould
  bn`.split(/\s+/),
);
/** Written in their own scripts. */
const FOREIGN = new Set(['بن', 'ابن', 'بنت', 'أبو', 'ابو', 'آل', 'ال', 'בן', 'בר', 'фон', 'ван', 'де', 'бин', 'ибн']);

/** Between two family names: Ortega y Gasset. */
const JOINERS = new Set(['y', 'e', 'i']);

/** A name that begins with one of these may well have it as its first name. */
const GIVEN_AS_WELL = new Set([
  'al',
  'ben',
  'san',
  'van',
  'mac',
  'bar',
  'ni',
  'e',
  'o',
  'i',
  'y',
  'abu',
  'el',
  'do',
  'le',
]);

/** Makes one given name with the next word: Abdul Karim, Abd al-Rahman, عبد الله. */
const COMPOUNDING = new Set(['abd', 'abdul', 'abdel', 'abdal', 'عبد']);

export function isParticle(key: string): boolean {
  return PARTICLES.has(key) || FOREIGN.has(key);
}

export function isJoiner(key: string): boolean {
  return JOINERS.has(key);
}

/** Whether a name can begin with it only when no given name is written. */
function isOnlyParticle(key: string): boolean {
  return isParticle(key) && !GIVEN_AS_WELL.has(key);
}

/** Whether a name begins with its family's name: von Hohenberg, van der Berg, but not Van Morrison. */
export function beginsWithFamily([first = '', second = '']: readonly string[]): boolean {
  return isOnlyParticle(first) || (isParticle(first) && isParticle(second));
}

export function isCompounding(key: string): boolean {
  return COMPOUNDING.has(key);
}
