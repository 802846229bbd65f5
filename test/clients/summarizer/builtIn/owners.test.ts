import { expect } from 'chai';
import { commitmentsLeft } from '../commitmentsLeft.ts';
import { conversation } from '../conversations.ts';

/** What is left to do after these lines, said on Tuesday, 17 November, as "owner: day of the month", with the owner's first name in a group. */
async function ownersOf(lines: string[], isGroup = false): Promise<string[]> {
  const left = await commitmentsLeft(conversation(lines, { isGroup }));
  return left.map(({ owner, ownerName, dueDate }) => {
    const who = isGroup ? (ownerName?.split(' ')[0] ?? 'nobody') : owner;
    return `${who}: ${dueDate === null ? '-' : Number(dueDate.slice(8))}`;
  });
}

const PROMISED: [lines: string[], owners: string[]][] = [
  [["Ann: I'll send you the draft on Friday, ok?", 'Sam: ok'], ['contact: 20']],
  [["Sam: We'll ship the samples tomorrow, right?"], ['user: 18']],
  [['Jan: Hallo, schön von dir zu hören', 'Jan: ich schicke dir den Vertrag am Freitag, passt das?'], ['contact: 20']],
  [
    ['Ana: só uma coisa, o vídeo ficou lindo', 'Ana: e o pagamento sai dia 20, ok?', 'Sam: sem problema'],
    ['contact: 20'],
  ],
  [['Ana: Hola, ¿cómo estás?', 'Sam: te mando la factura el viernes, ¿vale?', 'Ana: vale'], ['user: 20']],
];

const MOVED: [lines: string[], owners: string[]][] = [
  [
    ['Лена: Добрый день', 'Sam: отправлю договор в четверг', 'Sam: договор отправлю в понедельник, извините'],
    ['user: 23'],
  ],
  [
    ['Jan: Hallo Sam', 'Sam: ich schicke die Muster am Donnerstag', 'Sam: die Muster schicke ich am Montag'],
    ['user: 23'],
  ],
];

const ASKED_OF_TWO: [lines: string[], owners: string[]][] = [
  [['Jan: Zwei Gäste sind schon abgereist. Wer zahlt mir die Nächte?'], ['user: -']],
  [['Eva: Tengo a seis empleadas en la calle. ¿Y quién me paga el día perdido?'], ['user: -']],
  [['Ann: Will somebody be there on Friday to let him in?', 'Sam: I can be there from 8'], ['user: 20']],
  [['Ann: Could someone open the gate for the driver tomorrow?', 'Sam: sure'], ['user: 18']],
];

const ASKED_OF_MANY: [lines: string[], owners: string[]][] = [
  [
    [
      'Joe: Hallo zusammen',
      'Joe: die Kisten liegen bei mir, könnt ihr abholen',
      'Sam: okay einer von uns muss da morgen vorbei',
      'Mia: 👍',
    ],
    ['nobody: 18'],
  ],
];

describe('who is to do what', () => {
  it('is whoever promises it, even with an "ok?" at the end', async () => {
    for (const [lines, owners] of PROMISED) expect(await ownersOf(lines), lines.join(' / ')).to.deep.equal(owners);
  });

  it('promises it once when it is promised again for another day, which then counts', async () => {
    for (const [lines, owners] of MOVED) expect(await ownersOf(lines), lines.join(' / ')).to.deep.equal(owners);
  });

  it('is the other of two people where "someone" is asked for or "who" is asked', async () => {
    for (const [lines, owners] of ASKED_OF_TWO) expect(await ownersOf(lines), lines.join(' / ')).to.deep.equal(owners);
  });

  it('is whoever a group names last, and nobody where "one of us" has to', async () => {
    for (const [lines, owners] of ASKED_OF_MANY)
      expect(await ownersOf(lines, true), lines.join(' / ')).to.deep.equal(owners);
  });

  it('has the day that both finally agreed on, once', async () => {
    const left = await commitmentsLeft(
      conversation([
        "Ann: Then let's speak on Thursday, 16:00?",
        "Sam: thursday 16:00 works, I'll send the invite",
        'Ann: Sorry, my partner is away on Thursday. Friday, same time?',
        'Sam: friday it is',
        "Sam: invite's out",
      ]),
    );
    expect(left.map(({ dueDate, dueTime }) => [dueDate, dueTime])).to.deep.equal([['2026-11-20', '16:00']]);
  });
});
