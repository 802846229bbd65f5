export const MASK = '••••';

/** Whether something in a text was masked. */
export function isSecret(text: string): boolean {
  return text.includes(MASK);
}
