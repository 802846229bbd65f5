import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { mediaInText } from '../../../support/mediaInText.ts';
import { commitmentsLeft } from '../commitmentsLeft.ts';

/**
 * By language, each chat a line: the items that it leaves (`u` the user's, `c` the contact's, with the day of the month, or `-` for
 * none), then what is said in turn, with ` // ` between. The user's turns begin with `u:`.
 */
const CHATS = JSON.parse(readFileSync(new URL('./chats.json', import.meta.url), 'utf8')) as Record<string, string[]>;

/** Tells the language, and leaves nothing to do. */
const GREETINGS: Record<string, string> = {
  ru: 'Добрый день! Мы говорили о поставке ткани для вашего магазина',
  uk: 'Добрий день! Ми говорили про постачання тканини для вашого магазину',
  de: 'Guten Tag! Wir haben über die Lieferung der Stoffe für euren Laden gesprochen',
  es: '¡Buenos días! Hablamos del suministro de tela para su tienda',
  fr: 'Bonjour ! Nous avons parlé de la livraison du tissu pour votre magasin',
  pt: 'Bom dia! Falamos sobre o fornecimento de tecido para a sua loja',
  it: 'Buongiorno! Abbiamo parlato della fornitura di stoffa per il vostro negozio',
  pl: 'Dzień dobry! Rozmawialiśmy o dostawie materiału do waszego sklepu',
  tr: 'Merhaba! Mağazanız için kumaş tedarikini konuşmuştuk',
};

/** What is left after a chat on Wednesday, 28 October 2026, in the words of `chats.json`. */
async function itemsOf(language: string, chat: string): Promise<string> {
  const turns = [GREETINGS[language] ?? '', ...chat.split(' // ')].map(turn => turn.trim());
  const left = await commitmentsLeft({
    peerName: 'Jan Lazar',
    userName: 'Anna Wolska',
    isGroup: false,
    style: 'BUSINESS',
    timezone: 'UTC',
    messages: turns.map((turn, id) => ({
      id,
      sentAt: new Date('2026-10-28T09:00:00Z'),
      fromUser: turn.startsWith('u: '),
      senderName: turn.startsWith('u: ') ? 'Anna Wolska' : 'Jan Lazar',
      ...mediaInText(turn.replace(/^u: /, '')),
      forwarded: false,
    })),
  });
  const items = left.map(({ owner, dueDate }) => {
    const day = dueDate === null ? '-' : Number(dueDate.slice(8));
    return `${owner === 'user' ? 'u' : 'c'} ${day}`;
  });
  return items.join('; ') || '-';
}

describe('what is read as left to do in everyday chats', () => {
  for (const [language, rows] of Object.entries(CHATS)) {
    it(`is whose it is and due when it was said to be, in ${rows.length} chats in "${language}"`, async () => {
      for (const row of rows) {
        const [items = '', chat = ''] = row.split('|').map(part => part.trim());
        expect(await itemsOf(language, chat), chat).to.equal(items);
      }
    });
  }
});
