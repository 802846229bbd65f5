export const MASK = '••••';

export function isSecret(text: string): boolean {
  return text.includes(MASK);
}
