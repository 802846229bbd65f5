export const MASK = '••••';

/** Whether something in a text was masked. */
export const hasMask = (text: string): boolean => text.includes(MASK);
