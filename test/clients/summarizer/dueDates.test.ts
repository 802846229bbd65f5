import { expect } from 'chai';
import { findDay } from '../../../src/clients/summarizer/dueDates.ts';
import { lexiconOf } from '../../../src/clients/summarizer/languages/lexicon.ts';
import { TUESDAY } from './conversations.ts';

const SAID: Record<string, Record<string, string | null>> = {
  en: {
    'I will send it by Friday.': '2026-11-20',
    'Call me tomorrow at 5': '2026-11-18',
    'Done the day after tomorrow': '2026-11-19',
    'I need it today': '2026-11-17',
    'we talk on Tuesday': '2026-11-24',
    'let me know by Monday (Monday works best)': '2026-11-23',
    'by the end of the week': '2026-11-20',
    'before Friday': '2026-11-19',
    'over the weekend': '2026-11-22',
    'by the 24th': '2026-11-24',
    'Friday the 27th': '2026-11-27',
    'it was the 2nd time': null,
    'some time next week': '2026-11-27',
    'before the end of the month': '2026-11-30',
    'next month is fine': '2026-12-31',
    'in two weeks': '2026-12-01',
    'on December 3rd': '2026-12-03',
    'I was there yesterday': null,
    'it may take a while': null,
    'we sat there now for 5 minutes': null,
    'it costs 3.5 million, open 24/7': null,
  },
  de: {
    'bis Freitag': '2026-11-20',
    'vor Freitag': '2026-11-19',
    'am Wochenende': '2026-11-22',
    'übermorgen früh': '2026-11-19',
    'am 20.11. um 10 Uhr': '2026-11-20',
    'bis zum 3.12.2026': '2026-12-03',
    'bis Ende des Monats': '2026-11-30',
    'nächste Woche': '2026-11-27',
    'in zwei Wochen': '2026-12-01',
    'um 10.30 im Büro': null,
  },
  es: {
    'antes del viernes': '2026-11-19',
    'el fin de semana': '2026-11-22',
    'el sábado 28': '2026-11-28',
    'pasado mañana': '2026-11-19',
    'la próxima semana': '2026-11-27',
    'mañana a las 5': '2026-11-18',
  },
  fr: {
    'avant vendredi': '2026-11-19',
    'ce week-end': '2026-11-22',
    'après-demain': '2026-11-19',
    'la semaine prochaine': '2026-11-27',
    'mardi prochain': '2026-11-24',
  },
  pt: {
    'até sexta-feira': '2026-11-20',
    'depois de amanhã': '2026-11-19',
    'na terça às 15h': '2026-11-24',
    'em duas semanas': '2026-12-01',
  },
  ru: {
    'до пятницы': '2026-11-20',
    послезавтра: '2026-11-19',
    'к понедельнику': '2026-11-23',
    'до конца месяца': '2026-11-30',
    '20 ноября': '2026-11-20',
  },
  uk: {
    'до п’ятниці': '2026-11-20',
    післязавтра: '2026-11-19',
    'наступного тижня': '2026-11-27',
    'через два тижні': '2026-12-01',
  },
  pl: {
    'do piątku': '2026-11-20',
    pojutrze: '2026-11-19',
    '20 listopada': '2026-11-20',
    'za dwa tygodnie': '2026-12-01',
    'w przyszłym tygodniu': '2026-11-27',
  },
  tr: {
    'cumaya kadar': '2026-11-20',
    yarın: '2026-11-18',
    "20 Kasım'a kadar": '2026-11-20',
    'iki hafta içinde': '2026-12-01',
    'cumartesi günü': '2026-11-21',
  },
};

describe('days said in words', () => {
  for (const [language, phrases] of Object.entries(SAID)) {
    for (const [text, date] of Object.entries(phrases)) {
      it(`takes "${text}" (${language}), said on Tuesday 17 November 2026, for ${date ?? 'no day to come'}`, () => {
        expect(findDay(text, lexiconOf(language), TUESDAY, 'Europe/Berlin')?.date ?? null).to.equal(date);
      });
    }
  }

  it('counts from the day it is where the user lives', () => {
    const late = new Date('2026-11-17T23:30:00Z');
    const [auckland, losAngeles] = ['Pacific/Auckland', 'America/Los_Angeles'].map(
      zone => findDay('tomorrow', lexiconOf('en'), late, zone)?.date,
    );
    expect([auckland, losAngeles]).to.deep.equal(['2026-11-19', '2026-11-18']);
  });

  it('reads 12/3 with the month first only where people write it so', () => {
    const [newYork, london] = ['America/New_York', 'Europe/London'].map(
      zone => findDay('due 12/3', lexiconOf('en'), TUESDAY, zone)?.date,
    );
    expect([newYork, london]).to.deep.equal(['2026-12-03', '2027-03-12']);
  });

  it('keeps the words as they were written, with what belongs to them', () => {
    expect(findDay('Please send it By Friday, ok?', lexiconOf('en'), TUESDAY, 'UTC')?.words).to.equal('By Friday');
    expect(findDay('Sözleşmeyi Cumaya kadar gönder', lexiconOf('tr'), TUESDAY, 'UTC')?.words).to.equal('Cumaya kadar');
  });
});
