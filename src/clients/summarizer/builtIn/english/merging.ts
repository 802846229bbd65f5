/** The most characters of a merged sentence. */
const LONGEST = 150;
const MOST = 3;

/**
 * Merges adjacent sentences about one person: "Sam would like soup. Sam wants to skip dessert." becomes "Sam would like
 * soup and wants to skip dessert." What was said or asked stays separate, because the second verb could seem to be part
 * of the reported words.
 */
export function mergeSameSubject(sentences: string[], name: string): string[] {
  const merged: string[] = [];
  let verbs: string[] = [];
  const close = () => {
    if (verbs.length > 0) merged.push(`${name} ${listed(verbs)}.`);
    verbs = [];
  };
  for (const sentence of sentences) {
    const predicate = predicateOf(sentence, name);
    const isTooLong = verbs.length === MOST || [...verbs, predicate].join('').length > LONGEST;
    if (predicate === null || isTooLong) close();
    if (predicate === null) merged.push(sentence);
    else verbs.push(predicate);
  }
  close();
  return merged;
}

/** What follows the name, if another verb may be added to it; else null. */
function predicateOf(sentence: string, name: string): string | null {
  if (!sentence.startsWith(`${name} `) || !sentence.endsWith('.')) return null;
  const rest = sentence.slice(name.length + 1, -1);
  const isSimple =
    !/[“”„«»:;.!?(]|, |(?<!\p{L})(?:and|but|or|so|because|if|when|that|who|which|while|says?|asks?|tells?|hopes?|thinks?|knows?)(?!\p{L})/u.test(
      rest,
    );
  return isSimple && /^\p{Ll}/u.test(rest) ? rest : null;
}

function listed(verbs: string[]): string {
  return verbs.length === 1 ? (verbs[0] as string) : `${verbs.slice(0, -1).join(', ')} and ${verbs.at(-1)}`;
}
