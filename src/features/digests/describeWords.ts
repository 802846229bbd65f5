import { oneLine } from '../../lib/mailViews.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { isolated, isolateName, type QuotedLine, quoteText } from '../../lib/textDirection.ts';
import { nameOf } from '../messenger/dialogs/rules.ts';

type Author = { who: string; fromUser: boolean };

type Told = {
  words: string;
  /** Who wrote the words; null where they are not a quote. */
  saidBy: Author | null;
  /** What a quote answers, if it would be a riddle alone. */
  request: (Author & { words: string }) | null;
  /** Whose it is to do, and the name of that person where it was mentioned. */
  direction: 'mine' | 'theirs' | 'unassigned';
  who: string | null;
  peerName: string;
  peerUsername: string;
  peerPhone: string;
};

/**
 * What a promise says: in one line, and for words that are quoted also line by line, what they answer first. The one
 * line is the one that names the matter; beside the name of the conversation it names only the user and others of a group.
 */
export function describeWords(promise: Told): { words: string; quotes: QuotedLine[] } {
  const name = nameOf(promise);
  const { saidBy, request } = promise;
  if (!saidBy) return { words: isolateName(promise.words, name), quotes: [] };
  const said = { by: nameIn(saidBy, name), words: promise.words, isAnswer: request !== null };
  if (!request) {
    const quoted = isClear(promise, name) ? { ...said, by: '' } : said;
    return { words: lineOf(quoted, name), quotes: [quoted] };
  }
  const asked = { by: nameIn(request, name), words: request.words, isAnswer: false };
  return { words: lineOf(asked, name), quotes: [asked, said] };
}

/** The same in plain text, a line each: words that answer something follow what they answer. */
export function wordsInFull(promise: Told): string[] {
  const { words, quotes } = describeWords(promise);
  return quotes.length > 1 ? quotes.map(quoteText) : [words];
}

/** Of each of two quotes on one line. */
const LONGEST_OF_TWO = 70;

/** In one line what was said, behind what it answers. */
export function wordsInLine(promise: Told): string {
  const { words, quotes } = describeWords(promise);
  if (quotes.length < 2) return words;
  return quotes.map(quote => quoteText({ ...quote, words: oneLine(quote.words, LONGEST_OF_TWO) })).join(' ');
}

const LONGEST_TITLE = 80;

/** The one line where there is room for a title only. */
export function toTitle(promise: Told): string {
  return oneLine(describeWords(promise).words, LONGEST_TITLE);
}

/** What a line calls its author: in a conversation with one person, what that person is called. */
function nameIn({ who, fromUser }: Author, conversation: string): string {
  if (fromUser) return 'You';
  return who === conversation ? shortOf(who) : who;
}

function shortOf(name: string): string {
  return readPersonName(name).short || name;
}

/** Whether a row says who wrote the words of a promise: it says who is to keep it, and with whom the conversation is. */
function isClear({ saidBy, direction, who }: Told, conversation: string): boolean {
  if (!saidBy || direction === 'unassigned') return false;
  if (direction === 'mine' || saidBy.fromUser) return direction === 'mine' && saidBy.fromUser;
  return [conversation, who].some(named => named === saidBy.who || named === shortOf(saidBy.who));
}

function lineOf({ by, words }: QuotedLine, conversation: string): string {
  const isBeside = by === '' || by === conversation || by === shortOf(conversation);
  return isBeside ? words : `${isolated(by)}: ${words}`;
}
