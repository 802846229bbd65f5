import { textOf, type Written } from '../checker/checkedDigest.ts';
import type { Language, Languages } from '../languages/types.ts';
import type { ActionItem } from '../types.ts';
import type { Said } from './foundedTexts.ts';
import { type Asking, languageOf, translate } from './translate.ts';
import type { Piece, Texts } from './types.ts';

/**
 * Puts a digest that was written and checked in its conversation's language into those that are wanted for pages and for
 * the CRM, at one short request for each that is another. Its promises, days and sources stay what they are: only words
 * change, and a text whose translation says something else stays as it was. What can't be translated at all stays in the
 * conversation's language.
 */
export async function inLanguages(
  digest: Written,
  { pages, crm }: Languages,
  given: { said: Said; asking: Asking },
): Promise<Written> {
  const own = textsOf(digest);
  const made = new Map<string, Promise<Texts>>([[own.language, Promise.resolve(own)]]);
  const textsIn = (language: Language | null) => {
    if (language === null) return own;
    const known = made.get(language) ?? translated(digest, own, language, given);
    made.set(language, known);
    return known;
  };
  const ofPages = await textsIn(pages);
  const ofCrm = await textsIn(crm);
  const { structured } = digest;
  const isOwn = ofPages.language === structured.language;
  return {
    ...digest,
    summary: textOf(ofPages.sentences),
    sentences: ofPages.sentences,
    structured: {
      ...structured,
      topics: ofPages.topics,
      introductions: ofPages.introductions,
      meetings: structured.meetings.map((meeting, at) => ({ ...meeting, text: ofPages.meetings[at] ?? meeting.text })),
      actionItems: structured.actionItems.map((item, at) => itemIn(item, at, { ofPages, ofCrm })),
      ...(!isOwn && { writtenIn: ofPages.language }),
      ...(ofCrm.language !== ofPages.language && { inCrm: forCrm(ofCrm) }),
    },
  };
}

/** A model may have written in the language that is wanted, against its instructions. */
async function translated(
  digest: Written,
  own: Texts,
  language: Language,
  { said, asking }: { said: Said; asking: Asking },
): Promise<Texts> {
  if (languageOf([...own.sentences.map(({ text }) => text), ...own.items]) === language) return { ...own, language };
  const found = await translate(piecesOf(digest, own), { language, said, asking });
  return found === null ? own : withTexts(own, language, found);
}

function itemIn(item: ActionItem, at: number, { ofPages, ofCrm }: { ofPages: Texts; ofCrm: Texts }): ActionItem {
  const [text = item.text, inCrm = item.text] = [ofPages.items[at], ofCrm.items[at]];
  return {
    ...item,
    text,
    ...(text !== item.text && { textInChat: item.text }),
    ...(inCrm !== text && { textInCrm: inCrm }),
  };
}

function forCrm({ language, sentences, topics, meetings, introductions }: Texts) {
  return { language, summary: textOf(sentences), topics, meetings, introductions };
}

function textsOf({ sentences, structured }: Written): Texts {
  const { language, actionItems, topics, meetings, introductions } = structured;
  const textsIn = (list: readonly { text: string }[]) => list.map(({ text }) => text);
  return { language, sentences, items: textsIn(actionItems), topics, meetings: textsIn(meetings), introductions };
}

/** In a fixed order, by which {@link withTexts} finds them again. */
function piecesOf({ structured }: Written, texts: Texts): Piece[] {
  const none = { messageIds: [], days: [], isTitle: false };
  const dated = [
    ...structured.actionItems.map(({ dueDate }) => dueDate),
    ...structured.meetings.map(({ date }) => date),
  ];
  const days = dated.filter(day => day !== null);
  const pieces = [
    ...texts.sentences.map(({ text, sourceMessageIds }) => ({ ...none, text, messageIds: sourceMessageIds, days })),
    ...structured.actionItems.map(({ text, sourceMessageIds, dueDate }) => ({
      ...{ ...none, text, messageIds: sourceMessageIds, days: dueDate === null ? [] : [dueDate] },
    })),
    ...texts.topics.map(text => ({ ...none, text, isTitle: true })),
    ...structured.meetings.map(({ text, date }) => ({ ...none, text, days: date === null ? [] : [date] })),
    ...texts.introductions.map(text => ({ ...none, text })),
  ];
  return pieces.map((piece, at) => ({ ...piece, n: at + 1 }));
}

function withTexts(own: Texts, language: string, found: ReadonlyMap<number, string>): Texts {
  let n = 0;
  const next = (text: string) => {
    n += 1;
    return found.get(n) ?? text;
  };
  return {
    language,
    sentences: own.sentences.map(sentence => ({ ...sentence, text: next(sentence.text) })),
    items: own.items.map(next),
    topics: own.topics.map(next),
    meetings: own.meetings.map(next),
    introductions: own.introductions.map(next),
  };
}
