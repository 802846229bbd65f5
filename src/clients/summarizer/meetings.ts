import { shorten } from './cleaning.ts';
import type { Conversation, Sentence } from './conversation.ts';
import { findDay } from './dueDates.ts';
import type { StructuredDigest } from './types.ts';

const MOST = 5;
const LONGEST = 200;
const TIME_OF_DAY = /(?<!\p{N})\d{1,2}(?::\d{2}|\s?(?:[ap]\.?m\b|uhr|h\b|o'clock|год|час))/iu;

/** Meetings someone gave a day or an hour to. */
export function findMeetings({ utterances, timezone }: Conversation): StructuredDigest['meetings'] {
  const found = utterances.flatMap(({ sentences }) =>
    sentences.flatMap(sentence => {
      if (!sentence.utterance.pack.acts.meeting.test(sentence.folded)) return [];
      const day = findDay(sentence.text, sentence.utterance.pack, sentence.utterance.sentAt, timezone);
      if (!day && !TIME_OF_DAY.test(sentence.text)) return [];
      return [{ text: shorten(sentence.text, LONGEST), date: day?.date ?? null }];
    }),
  );
  return distinct(found, ({ text }) => text).slice(-MOST);
}

/** Sentences in which someone introduces a person. */
export function findIntroductions({ utterances }: Conversation): string[] {
  const introduces = ({ folded, utterance }: Sentence) => utterance.pack.acts.introduction.test(folded);
  const found = utterances.flatMap(({ sentences }) =>
    sentences.filter(introduces).map(({ text }) => shorten(text, LONGEST)),
  );
  return distinct(found, text => text).slice(0, MOST);
}

function distinct<T>(values: T[], key: (value: T) => string): T[] {
  return [...new Map(values.map(value => [key(value), value])).values()];
}
