import { digestOf, type Script } from './model.ts';

/*
 * Answers as a model would give them, written down by hand: digests of a German, a Russian and an Arabic chat, each in its
 * language, and what their texts are in English. In each chat, the other side asks for a contract and Sam promises it.
 */

export type Recorded = {
  /** A message a line, "Sam: …" is the user's. */
  chat: string[];
  summary: { text: string; lines: number[] }[];
  item: string;
  dueText: string;
  /** By the text in the chat's language. */
  english: Record<string, string>;
};

export const RECORDED = {
  de: {
    chat: [
      'Jonas: Hallo Sam, wann bekomme ich den Vertrag? Wir brauchen ihn wegen der Rechnung über 18.400 €.',
      'Sam: Ich schicke dir den Vertrag bis Freitag um 17:30.',
    ],
    summary: [
      { text: 'Jonas braucht den Vertrag wegen der Rechnung über 18.400 €.', lines: [1] },
      { text: 'Sam schickt ihn bis Freitag um 17:30.', lines: [2] },
    ],
    item: 'Jonas den Vertrag schicken',
    dueText: 'bis Freitag um 17:30',
    english: {
      'Jonas braucht den Vertrag wegen der Rechnung über 18.400 €.':
        'Jonas needs the contract because of the invoice for €18,400.',
      'Sam schickt ihn bis Freitag um 17:30.': 'Sam is sending it by Friday at 5:30 pm.',
      'Jonas den Vertrag schicken': 'Send Jonas the contract',
    },
  },
  ru: {
    chat: [
      'Марина: Добрый день! Когда вы пришлёте договор на 2 900 евро? Мне он нужен для банка.',
      'Sam: Пришлю договор в понедельник, обещаю.',
    ],
    summary: [{ text: 'Марина ждёт договор на 2 900 евро, он будет в понедельник.', lines: [1, 2] }],
    item: 'Прислать Марине договор',
    dueText: 'в понедельник',
    english: {
      'Марина ждёт договор на 2 900 евро, он будет в понедельник.':
        'Marina is waiting for the contract over €2,900, which comes on Monday.',
      'Прислать Марине договор': 'Send Марина the contract',
    },
  },
  ar: {
    chat: [
      'أحمد: مرحبا، متى ترسل لي العقد؟ نحتاجه من أجل البنك قبل 25 نوفمبر.',
      'Sam: سأرسل لك العقد يوم الخميس إن شاء الله.',
    ],
    summary: [{ text: 'يحتاج أحمد العقد قبل 25 نوفمبر، وسيصله يوم الخميس.', lines: [1, 2] }],
    item: 'إرسال العقد إلى أحمد',
    dueText: 'يوم الخميس',
    english: {
      'يحتاج أحمد العقد قبل 25 نوفمبر، وسيصله يوم الخميس.':
        'He needs the contract before 25 November, and Ahmed gets it on Thursday.',
      'إرسال العقد إلى أحمد': 'Send the contract to أحمد',
    },
  },
} as const satisfies Record<string, Recorded>;
export type RecordedLanguage = keyof typeof RECORDED;

/** Into which language the texts are to be put; undefined for a digest. */
export function askedInto(system: string): string | undefined {
  return /You translate the digest of a chat into (\p{Lu}\p{L}+)\./u.exec(system)?.[1];
}

/** In which language a digest is to be. */
export function wantedIn(user: string): string | undefined {
  return /^Write in (\p{Lu}\p{L}+)\.$/mu.exec(user)?.[1];
}

/** @param at the number of the message that promises it */
export function recordedDigest(recorded: Recorded, { inEnglish = false, at = 2 } = {}) {
  const { summary, item, dueText, english } = recorded;
  const told = (text: string) => (inEnglish ? (english[text] ?? text) : text);
  const owed = { owner: 'user', ownerName: null, kind: 'promise', dueText, dueDate: null, lines: [at] };
  const sentences = summary.map(({ text, lines }) => ({ text: told(text), lines }));
  return digestOf('', [{ text: told(item), ...owed }], { summary: sentences, closings: [] });
}

/** Translates what was recorded, from and into English, and repeats all else as it is. */
export function translationOf(
  { system, lines }: Pick<Parameters<Script>[0], 'system' | 'lines'>,
  change: (text: string) => string = text => text,
): { texts: object[] } {
  const english: Record<string, string> = Object.assign({}, ...Object.values(RECORDED).map(one => one.english));
  const back = Object.fromEntries(Object.entries(english).map(([own, text]) => [text, own]));
  const known = askedInto(system) === 'English' ? english : back;
  return { texts: lines.map(({ n, text }) => ({ n, text: change(known[String(text)] ?? String(text)) })) };
}

/** Answers about the recorded chats, whichever it is asked about. */
export const recordedModel: Script = request => {
  if (askedInto(request.system)) return translationOf(request);
  const inEnglish = wantedIn(request.user) === 'English';
  for (const recorded of Object.values(RECORDED)) {
    const line = request.lines.find(({ n, text }) => n && typeof text === 'string' && recorded.chat[1].includes(text));
    if (line) return recordedDigest(recorded, { inEnglish, at: Number(line.n) });
  }
  return digestOf('Nothing of note.', []);
};
