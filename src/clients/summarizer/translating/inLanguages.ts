import type { MessengerMessage } from '../../messenger/types.ts';
import { textOf, type Written } from '../checker/checkedDigest.ts';
import { LANGUAGES, type Language } from '../languages/types.ts';
import type { Asking } from '../openai/ask.ts';
import type { ActionItem } from '../types.ts';
import { quoteOf } from '../withQuotes.ts';
import type { Said } from './foundedTexts.ts';
import { translate } from './translate.ts';
import type { Piece } from './types.ts';

type Given = {
  /** ISO 639-1 of the digest's texts, and of those for the CRM; 'und' of a conversation whose language can't be told. */
  pages: string;
  crm: string;
  said: Said;
  asking: Asking;
  stopped: AbortSignal | undefined;
  messages: readonly MessengerMessage[];
};

/**
 * Says in which language a digest is, and adds its texts for the CRM at one short request, where those are wanted in
 * another. Its promises, days and sources stay what they are: only words change, and a text whose translation says
 * something else stays as it was.
 */
export async function inLanguages(digest: Written, given: Given): Promise<Written> {
  const { pages, crm, said, asking, stopped, messages } = given;
  const spoken = digest.structured.language;
  const target = LANGUAGES.find(language => language === crm);
  const texts = target && target !== pages ? await translatedTo(target) : undefined;
  const words = new Map(messages.map(({ id, text }) => [String(id), text]));
  const inChat = ({ text, sourceMessageIds }: ActionItem, inCrm: string | undefined) =>
    (crm === spoken ? inCrm : undefined) ?? (quoteOf(words.get(sourceMessageIds.at(-1) ?? '') ?? '') || text);
  return {
    ...digest,
    structured: {
      ...digest.structured,
      actionItems: digest.structured.actionItems.map((item, at) => {
        const inCrm = texts?.items[at];
        return {
          ...item,
          ...(pages !== spoken && { textInChat: inChat(item, inCrm) }),
          ...(inCrm && inCrm !== item.text && { textInCrm: inCrm }),
        };
      }),
      ...(pages !== spoken && { writtenIn: pages }),
      ...(texts && { inCrm: texts.forCrm }),
    },
  };

  async function translatedTo(language: Language) {
    const pieces = piecesOf(digest);
    if (pieces.length === 0) return undefined;
    const found = await translate(pieces, { language, writtenIn: pages, said, asking, stopped });
    if (found.size === 0) return undefined;
    let n = 0;
    const next = ({ text }: { text: string }) => {
      n += 1;
      return found.get(n) ?? text;
    };
    const { topics, actionItems, meetings, introductions } = digest.structured;
    const toText = (text: string) => ({ text });
    // In the order of the pieces.
    const summary = textOf(digest.sentences.map(sentence => ({ ...sentence, text: next(sentence) })));
    const items = actionItems.map(next);
    return {
      items,
      forCrm: {
        ...{ language, summary, topics: topics.map(toText).map(next), meetings: meetings.map(next) },
        introductions: introductions.map(toText).map(next),
      },
    };
  }
}

function piecesOf({ sentences, structured }: Written): Piece[] {
  const none = { messageIds: [], days: [], isTitle: false };
  const { actionItems, topics, meetings, introductions } = structured;
  const daysOf = (...days: (string | null)[]) => days.filter(day => day !== null);
  const days = daysOf(...actionItems.map(({ dueDate }) => dueDate), ...meetings.map(({ date }) => date));
  const pieces = [
    ...sentences.map(({ text, sourceMessageIds }) => ({ ...none, text, messageIds: sourceMessageIds, days })),
    ...actionItems.map(({ text, sourceMessageIds, dueDate }) => ({
      ...{ ...none, text, messageIds: sourceMessageIds, days: daysOf(dueDate) },
    })),
    ...topics.map(text => ({ ...none, text, isTitle: true })),
    ...meetings.map(({ text, date }) => ({ ...none, text, days: daysOf(date) })),
    ...introductions.map(text => ({ ...none, text })),
  ];
  return pieces.map((piece, at) => ({ ...piece, n: at + 1 }));
}
