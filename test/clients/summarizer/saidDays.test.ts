import { expect } from 'chai';
import { whenOf } from '../../../src/clients/summarizer/builtIn/when.ts';
import { lexiconOf } from '../../../src/clients/summarizer/languages/lexicon.ts';

type Named = [said: string, day: string | null, time?: string];

/** Days and hours as they are named in a chat on Wednesday, 18 November 2026 at ten. */
const SAID: Record<string, Named[]> = {
  en: [
    ['before Friday', '2026-11-19'],
    ['before this Friday', '2026-11-19'],
    ['before tomorrow 10 am', '2026-11-19', '10:00'],
    ['before noon tomorrow', '2026-11-19', '12:00'],
    ['before lunch on Friday', '2026-11-20'],
    ["I'm at the lab tonight and send it tomorrow before 9 am", '2026-11-19', '09:00'],
    ['on Friday at 8 in the evening', '2026-11-20', '20:00'],
    ['on Friday at 10 your time', '2026-11-20'],
  ],
  de: [
    ['vor Freitag', '2026-11-19'],
    ['vor dem 27. November', '2026-11-26'],
    ['vor morgen 10 Uhr', '2026-11-19', '10:00'],
    ['das schlage ich vor bis 27. November', '2026-11-27'],
    ['heute Abend im Labor, ich schicke es morgen vor 9 Uhr', '2026-11-19', '09:00'],
    ['Freitag um 10 eurer Zeit', '2026-11-20'],
  ],
  es: [
    ['antes del viernes', '2026-11-19'],
    ['antes de mañana a las 10', '2026-11-19', '10:00'],
    ['el viernes a las 8 de la tarde', '2026-11-20', '20:00'],
  ],
  ru: [
    ['перед пятницей', '2026-11-19'],
    ['в пятницу в 12 по вашему', '2026-11-20'],
  ],
  fr: [
    ['avant vendredi', '2026-11-19'],
    ['avant demain 10h', '2026-11-19', '10:00'],
    ['ce soir au labo et je vous les envoie demain avant 9h', '2026-11-19', '09:00'],
    ["d'ici vendredi", '2026-11-20'],
    ['sous huitaine', '2026-11-26'],
    ['sous 48 heures', '2026-11-20'],
    ['dans quinze jours', '2026-12-03'],
    ['demain 9h30', '2026-11-19', '09:30'],
    ["à 3h de l'après-midi demain", '2026-11-19', '15:00'],
    ['mercredi 2', '2026-12-02'],
    ['lundi 14h', '2026-11-23', '14:00'],
    ['pour le 1er', '2026-12-01'],
    ['fin novembre', '2026-11-30'],
    ['lundi de la semaine prochaine', '2026-11-23'],
    ['en fin de journée', '2026-11-18'],
    ['tous les lundis', null],
    ['lundi dernier', null],
  ],
  it: [
    ['alle 18.30', '2026-11-18', '18:30'],
    ['alle 12', '2026-11-18', '12:00'],
    ['domani alle 10', '2026-11-19', '10:00'],
    ['domani sera alle 8', '2026-11-19', '20:00'],
    ['giovedì verso le 11', '2026-11-19', '11:00'],
    ['sabato 28', '2026-11-28'],
    ['entro 5 giorni', '2026-11-23'],
    ['prima del 30', '2026-11-29'],
    ['a fine novembre', '2026-11-30'],
    ['venerdì della settimana prossima', '2026-11-27'],
    ['domani nel pomeriggio', '2026-11-19'],
    ['ogni venerdì', null],
    ['il 50 per cento', null],
  ],
  pt: [
    ['até quinta', '2026-11-19'],
    ['amanhã às 3 da tarde', '2026-11-19', '15:00'],
    ['na 6ª feira', '2026-11-20'],
    ['até ao dia 20', '2026-11-20'],
    ['depois de amanhã', '2026-11-20'],
    ['para a semana', '2026-11-27'],
    ['sexta da semana que vem', '2026-11-27'],
    ['dentro de 3 dias', '2026-11-21'],
    ['no fim de novembro', '2026-11-30'],
    ['até 10 pessoas', null],
    ['a segunda via', null],
    ['toda sexta', null],
  ],
  tr: [
    ["cuma'ya kadar", '2026-11-20'],
    ["salı'ya kadar", '2026-11-24'],
    ['cumadan önce', '2026-11-19'],
    ['cuma akşam', '2026-11-20'],
    ['haftaya cuma', '2026-11-27'],
    ['bir haftaya', '2026-11-25'],
    ["ayın 25'ine kadar", '2026-11-25'],
    ["yarın akşam 8'de", '2026-11-19', '20:00'],
    ["yarın 10'da", '2026-11-19', '10:00'],
    ["17.30'da", '2026-11-18', '17:30'],
    ['öğlene kadar', '2026-11-18', '12:00'],
    ['kasım sonu', '2026-11-30'],
    ['her cuma', null],
    ['pazar yerinde', null],
  ],
};

describe('a day or an hour that is named', () => {
  const utterance = { sentAt: new Date('2026-11-18T09:00:00Z') } as Parameters<typeof whenOf>[0]['utterance'];
  for (const [code, rows] of Object.entries(SAID)) {
    for (const [said, day, time] of rows) {
      it(`“${said}” (${code}) is ${day ?? 'none'}${time ? ` at ${time}` : ''}`, () => {
        const when = whenOf({ utterance }, said, lexiconOf(code), 'Europe/Paris');
        expect(when?.date ?? null).to.equal(day);
        expect(when?.time ?? undefined).to.equal(time);
      });
    }
  }
});
