import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

async function whens(lines: string[]): Promise<string[]> {
  const { structured } = await summarizer.summarize(conversation(lines));
  return structured.actionItems.map(({ dueDate, dueTime }) => `${dueDate} ${dueTime ?? ''}`.trim());
}

const APPOINTMENT: Record<string, string[]> = {
  en: ['Nadia: Noted. Appointment at the registry: 26 November, 11:00, Hafenstraße. Please bring your passport.'],
  de: ['Nadia: Der Termin beim Amt ist am 26. November um 11 Uhr. Bitte bring deinen Ausweis mit.'],
  es: ['Nadia: La cita en el registro es el 26 de noviembre a las 11:00. Por favor trae tu pasaporte.'],
  ru: ['Nadia: Встреча в банке 26 ноября в 11:00. Нужен твой паспорт.'],
};

const BY_THEN: Record<string, string[]> = {
  en: ['Nadia: Workshop on Friday at 10? Please prepare a floor plan by then.', 'Sam: Yes, I will prepare it.'],
  de: ['Nadia: Workshop am Freitag um 10? Bitte bereite bis dahin einen Plan vor.', 'Sam: Ja, mach ich.'],
  es: ['Nadia: Reunión el viernes a las 10? Por favor prepara un plan para entonces.', 'Sam: Sí, lo preparo.'],
  fr: ["Nadia: Réunion vendredi à 10h ? Peux-tu préparer un plan d'ici là ?", 'Sam: Oui, je le prépare.'],
};

const CORRECTED: Record<string, string[]> = {
  en: [
    'Nadia: I need the rest by Thursday',
    "Nadia: no wait, I'm not even here then. Friday is enough",
    'Sam: great, more time',
  ],
  de: [
    'Nadia: ich brauch den rest bis donnerstag',
    'Nadia: ne warte, da bin ich gar nicht da. freitag reicht',
    'Sam: super, mehr luft',
  ],
  es: [
    'Nadia: me mandas el resto para el jueves?',
    'Nadia: no espera, ese día no estoy. el viernes',
    'Sam: vale, genial',
  ],
};

/** The answer promises other things, and names other days. */
const ASKED_BY: Record<string, string[]> = {
  en: [
    "Nadia: I need from you by Friday: the floor plan, your tax number and your decision on clause 4. Otherwise the permit can't be issued.",
    'Sam: Omar sends the plan and the number today. Clause 4: please put 60 percent',
    'Nadia: Noted. Appointment at the registry: 26 November, 11:00.',
  ],
  de: [
    'Nadia: Ich brauche von dir bis Freitag den Grundriss, die Steuernummer und deine Entscheidung zu Punkt 4.',
    'Sam: Omar schickt Grundriss und Nummer heute. Punkt 4: bitte 60 Prozent',
    'Nadia: Notiert. Termin beim Amt: 26. November, 11:00.',
  ],
  es: [
    'Nadia: Necesito de ti para el viernes el plano, tu NIF y tu decisión sobre el punto 4.',
    'Sam: Omar manda el plano hoy. Punto 4: pon 60 por ciento',
    'Nadia: Anotado. Cita en el registro: 26 de noviembre, 11:00.',
  ],
};

describe('the days around a promise', () => {
  for (const [language, lines] of Object.entries(APPOINTMENT))
    it(`are those of the appointment for which something is to be brought, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-26 11:00']);
    });

  for (const [language, lines] of Object.entries(BY_THEN))
    it(`are those that “by then” means, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-20 10:00']);
    });

  for (const [language, lines] of Object.entries(CORRECTED))
    it(`are those to which whoever named them corrected them at once, in "${language}"`, async () => {
      expect(await whens(lines)).to.deep.equal(['2026-11-20']);
    });

  for (const [language, lines] of Object.entries(ASKED_BY))
    it(`are those by which it was asked for, whatever else is answered, in "${language}"`, async () => {
      expect((await whens(lines))[0]).to.equal('2026-11-20');
    });

  it('stay with their own matter: a request beside an appointment may name its own', async () => {
    expect(
      await whens([
        'Nadia: The viewing is on 26 November at 11:00. Please send me the lease by Friday.',
        'Sam: will do',
      ]),
    ).to.deep.equal(['2026-11-26 11:00', '2026-11-20']);
    expect(await whens(['Nadia: I paid the rent on Monday. Please send me the lease.', 'Sam: will do'])).to.deep.equal([
      'null',
    ]);
  });
});
