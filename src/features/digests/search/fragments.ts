/**
 * The condition that each word is in a row's text or in the name of its conversation; without words, no row matches.
 * Use it with {@link wordBindings}.
 * @param row.text a column `search` of the row, which contains the user's id as a word, or the row's plain words
 * @param row.dialog the id of its conversation
 * @param row.names where names of conversations are looked up: with those of their contacts, or their own alone
 */
export function saysAll(
  words: readonly string[],
  { text, dialog, names = 'search' }: { text: string; dialog: string; names?: 'search' | 'own_search' },
): string {
  const each = words.map(
    (_, n) => `(${text} @@ ${text.endsWith('.search') ? `:indexed${n}` : `:word${n}`}::tsquery or ${dialog} = any(array(
      select named.id from dialogs named where named.user_id = :userId and named.${names} @@ :word${n}::tsquery)))`,
  );
  return each.join(' and ') || 'false';
}

/** For the last word, its beginning is enough. */
export function wordBindings(words: readonly string[], userId: string): Record<string, string> {
  const lexemes = words.map((word, n) => `'${word}'${n === words.length - 1 ? ':*' : ''}`);
  return Object.fromEntries(
    lexemes.flatMap((lexeme, n) => [
      [`word${n}`, lexeme],
      [`indexed${n}`, `'${userId}' & ${lexeme}`],
    ]),
  );
}
