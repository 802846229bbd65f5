export const MASK = '••••';

/** Whether something in a text was masked. */
export function hasMask(text: string): boolean {
  return text.includes(MASK);
}
