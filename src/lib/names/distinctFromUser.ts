import anyAscii from 'any-ascii';

/** Words for the user on pages, and in summaries of other languages. "Ty" is left out, as it is also a name. */
const YOU = new Set(
  `you du sie ihr tu tú usted ustedes vous você vocês ты вы ти ви wy siz lei voi εσύ εσείς את אתה אתם أنت انت أنتم あなた 你 您
  你们`.split(/\s+/),
);

/** A name as it is shown, in quotation marks where it would be taken for the user: “You”. */
export const distinctFromUser = (name: string): string => (isYou(name) ? `“${name}”` : name);

/** Including lookalike letters. */
export function isYou(name: string): boolean {
  const letters = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}]/gu, '')
    .toLowerCase();
  return YOU.has(letters) || anyAscii(letters).toLowerCase() === 'you';
}
