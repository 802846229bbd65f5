import type { MessengerMessage } from '../../messenger/types.ts';
import { actionItemIds } from '../actionItemId.ts';
import type { Conversation } from '../conversation.ts';
import type {
  ActionItem,
  OpenPromise,
  StructuredDigest,
  SummarizerReport,
  Summary,
  SummarySentence,
} from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { type Anchoring, createAnchoring } from './anchoring.ts';
import { closingsFrom } from './closings.ts';
import { createNumberCheck } from './numbers.ts';
import { createOwners } from './owners.ts';
import type { Reply } from './reply.ts';
import { saidDate } from './saidDates.ts';
import type { Line } from './transcript.ts';

type Item = Reply['actionItems'][number];

/** What a model's answer is checked against. */
type Ground = Anchoring & {
  conversation: Conversation;
  /** The messages, as far as they were read. */
  messages: MessengerMessage[];
  /** YYYY-MM-DD */
  today: string;
};

/**
 * Makes the digest from what can be trusted in a model's answer. Links come from the messages themselves, dates from
 * the words said, names from the people who take part or are mentioned, numbers from what was written; an item that
 * rests on no message is dropped.
 */
export function digestFrom(
  reply: Reply,
  {
    lines,
    openPromises,
    ...read
  }: Omit<Ground, keyof Anchoring> & { lines: Line[]; openPromises?: OpenPromise[] | undefined },
  report: (failure: SummarizerReport) => void,
): Pick<Summary, 'summary' | 'sentences' | 'structured' | 'closings'> {
  const { conversation } = read;
  const ground = { ...read, ...createAnchoring(lines, conversation) };
  if (reply.sentiment === null) report(unknownValue('sentiment'));
  if (reply.urgency === null) report(unknownValue('urgency'));
  const structured: StructuredDigest = {
    topics: reply.topics,
    actionItems: actionItems(reply.actionItems, ground),
    sentiment: reply.sentiment ?? 'neutral',
    urgency: reply.urgency ?? 'none',
    meetings: meetings(reply.meetings, ground),
    introductions: reply.introductions,
    dealSignals: reply.dealSignals,
    links: conversation.links,
    language: conversation.language === 'und' ? reply.language : conversation.language,
  };
  const { sentences, left } = sentencesOf(reply, ground, structured);
  if (left > 0) report({ code: 'AI_REPAIRED_OUTPUT', message: 'left out a sentence with a number that nobody wrote' });
  const closings =
    openPromises && withQuotes(closingsFrom(reply.closings, { ...read, lines, openPromises }), read.messages);
  return { summary: textOf(sentences), sentences, structured, ...(closings && { closings }) };
}

/** Languages written without spaces have none between sentences either. */
function textOf(sentences: SummarySentence[]): string {
  return sentences.reduce((text, sentence) => {
    const space = text === '' || /[。！？]$/u.test(text) ? '' : ' ';
    return `${text}${space}${sentence.text}`;
  }, '');
}

/** Leaves out the value: it may be anything someone made the model write. */
function unknownValue(field: 'sentiment' | 'urgency'): SummarizerReport {
  return { code: 'AI_UNKNOWN_VALUE', message: `${field} is none of the known words` };
}

function actionItems(items: Item[], { anchor, conversation, today }: Ground): ActionItem[] {
  const ownerOf = createOwners(conversation);
  const anchored = items.flatMap(item => {
    const found = anchor(item);
    return found ? [{ item, found }] : [];
  });
  const texts = new Map(anchored.map(entry => [entry.item.text.toLowerCase(), entry]));
  const idOf = actionItemIds();
  return [...texts.values()].map(({ item, found }) => {
    const due = saidDate({ words: item.dueText, date: item.dueDate }, found, {
      timezone: conversation.timezone,
      today,
    });
    return {
      // Never made from the model's words: they differ each time.
      id: idOf(found.sentence?.utterance.messageId ?? found.utterances[0].messageId, found.sentence?.words ?? []),
      text: item.text,
      ...ownerOf(item),
      dueDate: due.date,
      dueText: due.words,
      ...(due.time !== null && { dueTime: due.time }),
      sourceMessageIds: found.utterances.map(({ messageId }) => messageId),
    };
  });
}

/** Leaves out past meetings: they are news for the summary. */
function meetings(claimed: Reply['meetings'], { anchor, conversation, today }: Ground): StructuredDigest['meetings'] {
  const { timezone } = conversation;
  return claimed.flatMap(({ text, dateText, date, lines }) => {
    const found = anchor({ text, lines });
    if (!found) return [];
    const said = saidDate({ words: dateText, date }, found, { timezone, today });
    return said.date !== null && said.date < today ? [] : [{ text, date: said.date }];
  });
}

/** Each with its messages, without those that name a number no one wrote, as long as there are others. */
function sentencesOf(
  reply: Reply,
  { sourcesOf, conversation: { timezone }, messages, today }: Ground,
  structured: StructuredDigest,
): { sentences: SummarySentence[]; left: number } {
  const days = [
    ...structured.actionItems.map(({ dueDate }) => dueDate),
    ...structured.meetings.map(({ date }) => date),
  ];
  const foreignNumbers = createNumberCheck({ messages, timezone }, [today, ...days.filter(day => day !== null)]);
  const founded = reply.summary.filter(({ text }) => foreignNumbers(text).length === 0);
  const kept = founded.length > 0 ? founded : reply.summary;
  const sentences = kept.map(sentence => ({
    text: sentence.text,
    sourceMessageIds: sourcesOf(sentence).map(({ messageId }) => messageId),
  }));
  return { sentences, left: reply.summary.length - kept.length };
}
