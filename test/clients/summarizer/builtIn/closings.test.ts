import { expect } from 'chai';
import { readClosings } from '../../../../src/clients/summarizer/builtIn/closings.ts';
import type { Closing, OpenPromise } from '../../../../src/clients/summarizer/types.ts';
import { mediaInText } from '../../../support/mediaInText.ts';

const TODAY = '2026-11-18'; // A Wednesday.

type Promised = Pick<OpenPromise, 'direction' | 'text'> & Partial<OpenPromise>;

const mine = (text: string, more: Partial<OpenPromise> = {}): Promised => ({ direction: 'mine', text, ...more });
const theirs = (text: string, more: Partial<OpenPromise> = {}): Promised => ({ direction: 'theirs', text, ...more });

/** Lines of "me: …" and of others by their names, a minute apart. */
async function closingsOf(
  promises: Promised[],
  lines: string[],
  { isGroup = false, toldUntil = 0 } = {},
): Promise<Closing[]> {
  const messages = lines.map((line, index) => {
    const [, from = '', text = ''] = /^([^:]+): ([\s\S]*)$/u.exec(line) ?? [];
    return {
      id: index + 1,
      sentAt: new Date(Date.parse(`${TODAY}T09:00:00Z`) + index * 60_000),
      fromUser: from === 'me',
      senderName: from === 'me' ? 'Nora Falk' : from,
      ...mediaInText(text),
      forwarded: false,
    };
  });
  return readClosings({
    userName: 'Nora Falk',
    peerName: 'Idris',
    isGroup,
    timezone: 'UTC',
    messages,
    ...(toldUntil > 0 && { told: { untilMessageId: toldUntil, day: null } }),
    openPromises: promises.map((promise, at) => ({
      n: at + 1,
      who: null,
      dueDate: null,
      saidAt: '2026-11-17',
      ...promise,
    })),
  });
}

/** Every promise by its state, "open" where nothing was said. */
async function statesOf(promises: Promised[], lines: string[], more = {}): Promise<string[]> {
  const closings = await closingsOf(promises, lines, more);
  return promises.map((_, at) => {
    const found = closings.find(({ n }) => n === at + 1);
    return found ? [found.state, found.newDueDate].filter(Boolean).join(' ') : 'open';
  });
}

type Case = [promises: Promised[], lines: string[], states: string[]];

describe('What new messages say of open promises, read by rules', () => {
  const KEPT: Case[] = [
    [[theirs('Fix the checkout')], ['Idris: the checkout is live', 'me: great, thanks'], ['done']],
    [[theirs('Pay invoice 22')], ['Idris: just wired the 3,120', 'me: thank you, I can see it'], ['done']],
    [[mine('Give Idris access to the server')], ['me: added your key', "Idris: I'm in"], ['done']],
    [[mine('Tell Idris the delivery date')], ['me: delivery will be on the 28th'], ['done']],
    [[theirs('Book the table')], ['Idris: table booked for Saturday'], ['done']],
    [[mine('Send Idris the feedback survey')], ['me: feedback survey: https://example.com/s/1'], ['done']],
    [[mine('Send Idris the minutes and the list')], ['me: minutes sent', 'me: list sent'], ['done']],
    [[theirs('Teilnehmerliste schicken')], ['Idris: [file: teilnehmer_nov.xlsx]'], ['done']],
    [[theirs('Ordinare le piastrelle')], ['Idris: ciao, le piastrelle sono ordinate, arrivano il 28'], ['done']],
    [[mine('Send Idris the floor plan')], ['me: here is the floor plan [file: floor_plan.pdf]'], ['done']],
    [[mine('Send Idris the floor plan')], ['me: sent!'], ['done']],
    [[theirs('Pay the invoice for October')], ['Idris: the invoice is paid'], ['done']],
    [[theirs('Send Nora the contract')], ['me: got the contract, thanks'], ['done']],
    [[theirs('Send Nora the contract')], ['me: did you send the contract?', 'Idris: yes, this morning'], ['done']],
    [[mine('Idris den Vertrag schicken')], ['me: Vertrag ist raus'], ['done']],
    [[theirs('Die Rechnung bezahlen')], ['Idris: die Rechnung hab ich gestern überwiesen'], ['done']],
    [[mine('Отправить Идрису договор')], ['me: договор отправила'], ['done']],
    [[theirs('Оплатить счёт')], ['Idris: счёт оплатили вчера'], ['done']],
    [[mine('Mandar el presupuesto')], ['me: te mandé el presupuesto'], ['done']],
    [[theirs('Firmar el contrato')], ['Idris: ya firmé el contrato'], ['done']],
    [[mine('Envoyer le devis')], ['me: je viens de vous envoyer le devis'], ['done']],
    [[mine('Mandare il preventivo')], ['me: ho appena mandato il preventivo'], ['done']],
    [[mine('Enviar o orçamento')], ['me: enviei o orçamento hoje cedo'], ['done']],
    [[mine('Надіслати договір')], ['me: договір надіслала'], ['done']],
    [[mine('Wysłać umowę')], ['me: umowa wysłana'], ['done']],
    [[mine('Sözleşmeyi göndermek')], ['me: sözleşmeyi gönderdim'], ['done']],
    [[mine('إرسال العقد')], ['me: أرسلت العقد'], ['done']],
    [[mine('לשלוח את החוזה')], ['me: שלחתי את החוזה'], ['done']],
    [[mine('Να στείλει το συμβόλαιο')], ['me: έστειλα το συμβόλαιο'], ['done']],
    [[mine('契約書を送る')], ['me: 契約書を送りました'], ['done']],
    [[mine('把合同发给对方')], ['me: 合同已经发了'], ['done']],
  ];
  for (const [promises, lines, states] of KEPT)
    it(`closes what was kept: ${lines.join(' / ')}`, async () => {
      expect(await statesOf(promises, lines)).to.deep.equal(states);
    });

  const NOT_KEPT: Case[] = [
    [[mine('Send Idris the contract')], ['me: sent you the logo files, check your inbox'], ['open']],
    [[mine('Return the signed order form')], ["me: the form's signed"], ['doubtful']],
    [[mine('Send Idris three references')], ['me: two of the references are in your inbox'], ['doubtful']],
    [[mine('Send Idris the minutes and the guest list')], ['me: guest list sent'], ['doubtful']],
    [[mine('Send Idris the contract')], ['Idris: did you send the contract?', 'me: sure, on it'], ['open']],
    [[mine('Fix the heating')], ['Idris: did you fix the heating?', 'me: yes but it went off again'], ['doubtful']],
    [[theirs('Send Nora the updated quote')], ['me: thanks for the quote!'], ['doubtful']],
    [[theirs('Send Nora photos of the roof')], ['Idris: [photo]', 'Idris: our new puppy'], ['doubtful']],
    [[theirs('Send Nora the plans')], ['Idris: here you go', 'Idris: [file: house_rules.pdf]'], ['open']],
    [[theirs('Deliver the chairs')], ['me: 20 chairs arrived, 10 are missing'], ['doubtful']],
    [[theirs('Send Nora the contract')], ['me: you wrote "contract will be sent on Thursday", still on?'], ['open']],
    [[theirs('Mandar las muestras')], ['Idris: las muestras están listas'], ['doubtful']],
    [[theirs('Drei Referenzen schicken')], ['Idris: zwei Referenzen gemailt, die dritte fehlt noch'], ['doubtful']],
    [[mine('Send Idris the contract')], ['me: I sent the price list'], ['open']],
    [[mine('Send Idris the contract')], ['me: [file: price_list.pdf]'], ['open']],
    [[mine('Send Idris the contract')], ["me: I'll send the contract soon"], ['open']],
    [[mine('Send Idris the contract')], ['me: the contract is not sent yet'], ['open']],
    [[mine('Send Idris the contract')], ['Idris: thanks in advance for the contract'], ['open']],
    [[mine('Send Idris the contract')], ['Idris: did you send the contract?'], ['open']],
    [[mine('Send Idris the contract')], ['Idris: I sent the contract to my lawyer'], ['open']],
    [[mine('Send Idris the contract')], ['me: the contract is with our lawyer'], ['open']],
    [[mine('Send Idris the contract')], ['me: almost done with the contract'], ['open']],
    [[mine('Send Idris the contract')], ['me: once the contract is signed we can start'], ['open']],
    [[mine('Give Idris the signed contract')], ['me: the contract is out for signature today'], ['open']],
    [[mine('Send Idris invoice 14')], ['me: invoice 15 is sent'], ['open']],
    [[mine('Send Idris invoice 14')], ['me: here you go [file: invoice_15.pdf]'], ['open']],
    [[theirs('Pay the invoice')], ['Idris: I got the invoice'], ['open']],
    [[mine('Send Idris the contract')], ['Idris: can you share the logo?', 'me: sent'], ['open']],
    [[mine('Vertrag schicken')], ['me: den Vertrag hab ich noch nicht geschickt'], ['open']],
    [[mine('Vertrag schicken')], ['me: Angebot ist raus'], ['open']],
    [[mine('Vertrag schicken')], ['Idris: danke im Voraus für den Vertrag'], ['open']],
    [[mine('Vertrag schicken')], ['Idris: vergiss den Vertrag nicht'], ['open']],
    [[mine('Отправить договор')], ['me: договор ещё не отправила'], ['open']],
    [[mine('Отправить договор')], ['me: смету отправила'], ['open']],
    [[mine('Отправить договор')], ['Idris: заранее спасибо за договор'], ['open']],
    [[mine('Mandar el contrato')], ['me: todavía no mandé el contrato'], ['open']],
    [[mine('Mandar el contrato')], ['me: te mandé la factura'], ['open']],
    [[mine('Mandar el contrato')], ['me: te mandé el pasaporte'], ['open']],
    [[mine('Отправить договор')], ['me: платье отправила'], ['open']],
    [[mine('إرسال العقد')], ['me: أرسلت الطلب'], ['open']],
    [[mine('Envoyer le contrat')], ["me: je n'ai pas encore envoyé le contrat"], ['open']],
    [[mine('Envoyer le contrat')], ["Idris: merci d'avance pour le contrat"], ['open']],
    [[mine('Mandare il contratto')], ['me: non ho ancora mandato il contratto'], ['open']],
    [[mine('Enviar o contrato')], ['me: ainda não enviei o contrato'], ['open']],
    [[mine('Надіслати договір')], ['me: договір ще не надіслала'], ['open']],
    [[mine('Wysłać umowę')], ['me: nie wysłałam jeszcze umowy'], ['open']],
    [[mine('Sözleşmeyi göndermek')], ['me: sözleşmeyi henüz göndermedim'], ['open']],
    [[mine('إرسال العقد')], ['me: لم أرسل العقد بعد'], ['open']],
    [[mine('לשלוח את החוזה')], ['me: עוד לא שלחתי את החוזה'], ['open']],
    [[mine('Να στείλει το συμβόλαιο')], ['me: δεν έστειλα ακόμα το συμβόλαιο'], ['open']],
    [[mine('契約書を送る')], ['me: 契約書はまだ送っていません'], ['open']],
    [[mine('把合同发给对方')], ['me: 合同还没发'], ['open']],
    [[mine('Send Idris the contract')], ['me: sent quote'], ['open']],
    [[mine('Send Idris the photos from Oslo')], ['me: photos from Bergen are sent'], ['doubtful']],
    [[mine('Envoyer le contrat')], ["me: j'ai envoyé la facture"], ['open']],
    [[mine('Mandare il contratto')], ['me: ho mandato la fattura'], ['open']],
    [[mine('Enviar o contrato')], ['me: enviei a fatura'], ['open']],
    [[mine('Надіслати договір')], ['me: рахунок надіслала'], ['open']],
    [[mine('Wysłać umowę')], ['me: wysłałam fakturę'], ['open']],
    [[mine('Sözleşmeyi göndermek')], ['me: faturayı gönderdim'], ['open']],
    [[mine('إرسال العقد')], ['me: أرسلت الفاتورة'], ['open']],
    [[mine('לשלוח את החוזה')], ['me: שלחתי את החשבונית'], ['open']],
    [[mine('Να στείλει το συμβόλαιο')], ['me: έστειλα το τιμολόγιο'], ['open']],
    [[mine('契約書を送る')], ['me: 請求書を送りました'], ['open']],
    [[mine('把合同发给对方')], ['me: 发票已经发了'], ['open']],
  ];
  for (const [promises, lines, states] of NOT_KEPT)
    it(`closes nothing on: ${lines.join(' / ')}`, async () => {
      expect(await statesOf(promises, lines)).to.deep.equal(states);
    });

  const DROPPED: Case[] = [
    [[mine('Send Idris the floor plan')], ['Idris: the floor plan is no longer needed'], ['cancelled']],
    [[mine('Den Grundriss schicken')], ['Idris: den Grundriss brauchen wir nicht mehr'], ['cancelled']],
    [[mine('Отправить чертёж')], ['Idris: чертёж больше не нужен'], ['cancelled']],
    [[mine('Mandar el plano')], ['Idris: el plano ya no hace falta'], ['cancelled']],
    [[mine('Envoyer le plan')], ['Idris: plus besoin du plan'], ['cancelled']],
    [[mine('Mandare la piantina')], ['Idris: la piantina non serve più'], ['cancelled']],
    [[mine('Enviar a planta')], ['Idris: a planta não precisa mais'], ['cancelled']],
    [[mine('Надіслати креслення')], ['Idris: креслення вже не потрібно'], ['cancelled']],
    [[mine('Wysłać projekt')], ['Idris: projekt już niepotrzebny'], ['cancelled']],
    [[mine('Planı göndermek')], ['Idris: plana gerek kalmadı'], ['cancelled']],
    [[mine('図面を送る')], ['Idris: 図面は不要になりました'], ['cancelled']],
    [[mine('把图纸发给对方')], ['Idris: 图纸不用了'], ['cancelled']],
    [[mine('Send Idris the floor plan')], ['Idris: no need to hurry with the floor plan'], ['open']],
    [[mine('Send Idris the floor plan')], ["Idris: don't forget the floor plan"], ['open']],
    [[mine('Send Idris the floor plan')], ["Idris: we don't need the floor plan until Friday"], ['open']],
    [[mine('Den Grundriss schicken')], ['Idris: den Grundriss brauchst du noch nicht schicken'], ['open']],
    [[mine('Отправить чертёж')], ['Idris: чертёж пока не нужен'], ['open']],
    [[mine('Cancel the subscription')], ['me: subscription is cancelled'], ['done']],
    [[theirs('Pay the second half')], ['me: payment arrived, thank you'], ['done']],
    [[mine('Translate the flyer')], ['me: I translated the flyer'], ['done']],
  ];
  for (const [promises, lines, states] of DROPPED)
    it(`tells what is no longer needed from what is: ${lines.join(' / ')}`, async () => {
      expect(await statesOf(promises, lines)).to.deep.equal(states);
    });

  const due = { dueDate: '2026-11-18' };
  const MOVED: Case[] = [
    [[mine('Send Idris the floor plan', due)], ['me: the floor plan will be Friday, sorry'], ['moved 2026-11-20']],
    [[mine('Send Idris the floor plan', due)], ["me: I'll send it tomorrow"], ['moved 2026-11-19']],
    [[mine('Meet Idris at 14:00', due)], ['Idris: can we move it to Monday?', 'me: fine'], ['moved 2026-11-23']],
    [[mine('Meet Idris at 14:00', due)], ['Idris: can we move it to Monday?'], ['open']],
    [
      [mine('Den Grundriss schicken', due)],
      ['me: den Grundriss schaffe ich heute nicht, kommt erst am Freitag'],
      ['moved 2026-11-20'],
    ],
    [[mine('Отправить чертёж', due)], ['me: чертёж будет в пятницу'], ['moved 2026-11-20']],
    [[mine('Mandar el plano', due)], ['me: el plano va a ser el viernes'], ['moved 2026-11-20']],
  ];
  for (const [promises, lines, states] of MOVED)
    it(`follows a day that moves: ${lines.join(' / ')}`, async () => {
      expect(await statesOf(promises, lines)).to.deep.equal(states);
    });

  it('names the messages that say so', async () => {
    const lines = ['Idris: morning!', 'me: did you send the contract?', 'Idris: yes, this morning'];
    const [closing] = await closingsOf([theirs('Send Nora the contract')], lines);
    expect(closing).to.deep.equal({ n: 1, state: 'done', newDueDate: null, messageIds: ['2', '3'] });
  });

  it('does not accept as evidence what an earlier digest covered', async () => {
    const lines = ['me: the floor plan is sent', 'Idris: ok'];
    expect(await statesOf([mine('Send Idris the floor plan')], lines, { toldUntil: 1 })).to.deep.equal(['open']);
  });

  it('leaves two promises in doubt when the same words fit both', async () => {
    const promises = [mine('Send Idris the contract for Oslo'), mine('Send Idris the contract for Bergen')];
    expect(await statesOf(promises, ['me: the contract is sent'])).to.deep.equal(['doubtful', 'doubtful']);
  });

  it('closes both promises that one message keeps', async () => {
    const promises = [mine('Send Idris the contract'), mine('Send Idris the price list')];
    expect(await statesOf(promises, ['me: contract and price list are sent'])).to.deep.equal(['done', 'done']);
  });

  it('reopens what the other side says has not arrived', async () => {
    const lines = ['me: the floor plan is sent', 'Idris: I have not received it'];
    expect(await statesOf([mine('Send Idris the floor plan')], lines)).to.deep.equal(['open']);
  });

  it('believes only whoever is to do it in a group, not the others', async () => {
    const people = [{ name: 'Hamid', fromUser: false }];
    const promises = [theirs('Order the boxes', { who: 'Hamid', people })];
    expect(await statesOf(promises, ['Suki: I ordered the boxes'], { isGroup: true })).to.deep.equal(['open']);
    expect(await statesOf(promises, ['Hamid: boxes ordered'], { isGroup: true })).to.deep.equal(['done']);
  });

  it('reads no forwarded words and nothing without open promises', async () => {
    expect(await closingsOf([], ['me: sent'])).to.deep.equal([]);
  });
});
