import { actionItemId } from '../actionItemId.ts';
import type { Conversation } from '../conversation.ts';
import type { ActionItem, StructuredDigest, SummarizerTrouble } from '../types.ts';
import { type Anchor, type Anchoring, createAnchoring } from './anchoring.ts';
import type { Reply } from './reply.ts';
import { saidDate } from './saidDates.ts';
import type { Line } from './transcript.ts';

type Item = Reply['actionItems'][number];

/**
 * What is kept of a model's answer. Links come from the messages themselves, dates from the words said, names from the people
 * who are there; an item that rests on no message is dropped.
 */
export function digestFrom(
  reply: Reply,
  lines: Line[],
  conversation: Conversation,
  report: (trouble: SummarizerTrouble) => void,
): StructuredDigest {
  const anchor = createAnchoring(lines, conversation);
  if (reply.sentiment === null) report(unknownValue('sentiment'));
  if (reply.urgency === null) report(unknownValue('urgency'));
  return {
    topics: reply.topics,
    actionItems: actionItems(reply.actionItems, anchor, conversation),
    sentiment: reply.sentiment ?? 'neutral',
    urgency: reply.urgency ?? 'none',
    meetings: meetings(reply.meetings, anchor, conversation.timezone),
    introductions: reply.introductions,
    dealSignals: reply.dealSignals,
    links: conversation.links,
    language: conversation.language === 'und' ? reply.language : conversation.language,
  };
}

/** Without the value: it may be anything somebody made the model write. */
function unknownValue(field: 'sentiment' | 'urgency'): SummarizerTrouble {
  return { code: 'AI_UNKNOWN_VALUE', message: `${field} is none of the known words` };
}

function actionItems(items: Item[], anchor: Anchoring, conversation: Conversation): ActionItem[] {
  const anchored = items.flatMap(item => {
    const found = anchor(item);
    return found ? [{ item, found }] : [];
  });
  const texts = new Map(anchored.map(entry => [entry.item.text.toLowerCase(), entry]));
  const taken = new Map<string, number>();
  return [...texts.values()].map(({ item, found }) => {
    const due = saidDate({ words: item.dueText, date: item.dueDate }, found, conversation.timezone);
    return {
      id: idOf(found, taken),
      text: item.text,
      ...ownerOf(item, conversation),
      dueDate: due.date,
      dueText: due.words,
      sourceMessageIds: found.utterances.map(({ messageId }) => messageId),
    };
  });
}

/** By message and sentence, never by the model's words: they differ each time. Two items of one sentence are counted. */
function idOf({ utterances: [first], sentence }: Anchor, taken: Map<string, number>): string {
  const messageId = sentence?.utterance.messageId ?? first.messageId;
  const key = `${messageId}:${sentence?.words.join(' ') ?? ''}`;
  const count = (taken.get(key) ?? 0) + 1;
  taken.set(key, count);
  return actionItemId(messageId, sentence?.words ?? [], count);
}

function ownerOf(
  { owner, ownerName }: Item,
  { names, isGroup, speakers }: Conversation,
): Pick<ActionItem, 'owner' | 'ownerName'> {
  if (owner === 'user') return { owner, ownerName: names.user };
  if (!isGroup) return { owner, ownerName: owner === 'contact' ? names.peer : null };
  const named = names.of(ownerName ?? '').toLowerCase();
  const known = speakers.find(speaker => speaker.toLowerCase() === named || speaker === ownerName);
  if (known === names.user) return { owner: 'user', ownerName: known };
  return known === undefined ? { owner: 'unknown', ownerName: null } : { owner: 'contact', ownerName: known };
}

function meetings(claimed: Reply['meetings'], anchor: Anchoring, timezone: string): StructuredDigest['meetings'] {
  return claimed.flatMap(({ text, dateText, date, lines }) => {
    const found = anchor({ text, lines });
    return found ? [{ text, date: saidDate({ words: dateText, date }, found, timezone).date }] : [];
  });
}
