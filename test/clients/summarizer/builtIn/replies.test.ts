import { expect } from 'chai';
import { commitmentsLeft, leftOfDays } from '../commitmentsLeft.ts';
import { datedLines } from '../digestDays.ts';

describe('“No problem”', () => {
  const REPLIES = {
    'No problem.': 'Could you send me the lease by Friday?',
    'no worries, will do': 'Could you send me the lease by Friday?',
    'Kein Problem': 'Kannst du mir bis Freitag den Vertrag schicken?',
    'No hay problema': '¿Puedes mandarme el contrato el viernes?',
    'Нет проблем': 'Можешь прислать договор до пятницы?',
    'Немає проблем': 'Можеш надіслати договір до п’ятниці?',
    'Não tem problema': 'Pode me mandar o contrato até sexta?',
    'Nie ma sprawy': 'Możesz mi wysłać umowę do piątku?',
    'Pas de problème': 'Tu peux m’envoyer le contrat vendredi ?',
    'Nessun problema': 'Mi puoi mandare il contratto entro venerdì?',
  };
  for (const [reply, request] of Object.entries(REPLIES)) {
    it(`takes on what was asked for: ${reply}`, async () => {
      expect(await leftOfDays([`17 Ann: ${request}`, `17 Sam: ${reply}`])).to.deep.equal([['user', '2026-11-20']]);
    });
  }

  for (const reply of ['No way.', "no, problem is the printer is down and I can't"]) {
    it(`is not confused with a real no: ${reply}`, async () => {
      expect(await leftOfDays(['17 Ann: Could you send me the lease by Friday?', `17 Sam: ${reply}`])).to.deep.equal(
        [],
      );
    });
  }
});

describe('A reply to a request', () => {
  const TAKEN = [
    ...[
      'not a problem',
      'no issue',
      'why not',
      'can do',
      'yep',
      'on it',
      'you got it',
      'sure thing',
      'gladly',
      'k',
      '👍',
    ],
    ...["don't worry, I will", 'Sounds good', 'sounds like a plan', "that's fine", 'consider it done'],
  ];
  for (const reply of TAKEN) {
    it(`takes it on: ${reply}`, async () => {
      expect(await leftOfDays(['17 Ann: Could you send me the lease by Friday?', `17 Sam: ${reply}`])).to.deep.equal([
        ['user', '2026-11-20'],
      ]);
    });
  }

  const REFUSED = [
    'not a chance',
    'afraid not',
    "Sorry, I can't",
    "that doesn't work for me",
    'no, sorry',
    'not before May',
  ];
  for (const reply of REFUSED) {
    it(`takes nothing on: ${reply}`, async () => {
      expect(await leftOfDays(['17 Ann: Could you send me the lease by Friday?', `17 Sam: ${reply}`])).to.deep.equal(
        [],
      );
    });
  }
});

describe('A reply to a proposal', () => {
  for (const reply of [
    'sounds good',
    'Sounds great!',
    "can't wait",
    'works',
    'see you then',
    'no problem',
    'deal',
    '👍',
  ]) {
    it(`agrees on its day: ${reply}`, async () => {
      const left = await commitmentsLeft(datedLines(['17 Ann: Could we meet on Friday at 10?', `17 Sam: ${reply}`]));
      expect(left.map(({ dueDate, dueTime }) => [dueDate, dueTime])).to.deep.equal([['2026-11-20', '10:00']]);
    });
  }

  for (const reply of [
    'Friday is bad, how about Monday at 9?',
    "can't do Friday, Monday at 9?",
    'not Friday, Monday at 9?',
  ]) {
    it(`names another day, which the other side is to answer: ${reply}`, async () => {
      const left = await commitmentsLeft(datedLines(['17 Ann: Could we meet on Friday at 10?', `17 Sam: ${reply}`]));
      expect(left.map(({ owner, dueDate, dueTime }) => [owner, dueDate, dueTime])).to.deep.equal([
        ['contact', '2026-11-23', '09:00'],
      ]);
    });
  }
});

describe('A reply in another language', () => {
  const REQUESTS = {
    de: 'Kannst du mir den Vertrag bis Freitag schicken?',
    es: '¿Me puedes mandar el contrato el viernes?',
    ru: 'Можешь прислать договор до пятницы?',
    fr: 'Tu peux m’envoyer le contrat vendredi ?',
    pt: 'Pode me mandar o contrato até sexta?',
    it: 'Mi puoi mandare il contratto entro venerdì?',
  };
  const TAKEN = {
    de: ['Klar', 'Mach ich', 'Geht klar', 'Wird gemacht', 'Kein Ding', 'Jep'],
    es: ['Claro', 'Vale', 'Por supuesto', 'Sin falta'],
    ru: ['Конечно', 'Сделаю', 'Ладно', 'Без проблем'],
    fr: ['Bien sûr', 'D’accord', 'Je m’en occupe'],
    pt: ['Pode deixar', 'Combinado', 'Mando sim'],
    it: ['Certo', 'Volentieri', 'Va bene'],
  };
  const REFUSED = {
    de: ['Leider nein', 'Geht leider nicht', 'Schaffe ich nicht', 'Das wird nichts'],
    es: ['No puedo', 'Imposible', 'Lo siento, no'],
    ru: ['Не могу', 'К сожалению, нет', 'Не получится'],
    fr: ['Pas possible', 'Désolé, non', 'Je ne peux pas'],
    pt: ['Não consigo', 'Infelizmente não'],
    it: ['Non posso', 'Mi dispiace, no'],
  };
  const INSTEAD = {
    de: ['Können wir uns am Freitag um 10 treffen?', 'Freitag geht nicht, wie wäre Montag um 9?'],
    es: ['¿Podemos vernos el viernes a las 10?', 'El viernes no puedo, ¿el lunes a las 9?'],
    ru: ['Можем встретиться в пятницу в 10?', 'В пятницу не могу, давай в понедельник в 9?'],
    fr: ['On peut se voir vendredi à 10h ?', 'Vendredi je ne peux pas, lundi à 9h ?'],
    pt: ['Podemos nos encontrar sexta às 10h?', 'Sexta não dá, segunda às 9h?'],
  };
  type Code = keyof typeof REQUESTS;
  const itemsAfter = (code: Code, reply: string) => leftOfDays([`17 Ann: ${REQUESTS[code]}`, `17 Sam: ${reply}`]);

  for (const code of Object.keys(REQUESTS) as Code[]) {
    it(`takes on what was asked for: ${TAKEN[code].join(', ')}`, async () => {
      for (const reply of TAKEN[code])
        expect(await itemsAfter(code, reply), reply).to.deep.equal([['user', '2026-11-20']]);
    });

    it(`refuses it: ${REFUSED[code].join(', ')}`, async () => {
      for (const reply of REFUSED[code]) expect(await itemsAfter(code, reply), reply).to.deep.equal([]);
    });
  }

  for (const [proposal, reply] of Object.values(INSTEAD)) {
    it(`proposes another day: ${reply}`, async () => {
      const left = await commitmentsLeft(datedLines([`17 Ann: ${proposal}`, `17 Sam: ${reply}`]));
      expect(left.map(({ owner, dueDate, dueTime }) => [owner, dueDate, dueTime])).to.deep.equal([
        ['contact', '2026-11-23', '09:00'],
      ]);
    });
  }
});
