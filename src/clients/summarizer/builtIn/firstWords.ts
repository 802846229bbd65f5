/** What a no begins with. */
export const NO_FIRST = /^\P{L}*(?:no|not|nope|nah|nein|nee|ne|нет|ні|non|não|nie|hayır|yok)(?!\p{L})/u;

/** "Hi Sofia, sure" says yes. */
export function withoutGreeting(folded: string): string {
  return folded.replace(/^(?:hi|hello|hey|thanks|thank you|good morning|morning)(?: \p{L}{2,20})?, (?=\p{L})/u, '');
}
