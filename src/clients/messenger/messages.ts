import bigInt from 'big-integer';
import { Api, Rich } from 'telegram';
import { formatMoney, formatQuantity } from '../../lib/words.ts';
import type { Call } from './connection.ts';
import { indexPeople, inputPeer, type People, peerKey, peerName } from './peers.ts';
import type { Media, MediaKind, MessengerMessage, PeerReference } from './types.ts';

export type HistoryRange = { afterId: number; untilId: number; limit: number };

type SentMessage = Api.Message | Api.MessageService;
type Content = Pick<MessengerMessage, 'text' | 'media'>;
/** The tasks of checklists, by the id of their message. */
type Checklists = ReadonlyMap<number, Api.TypeTodoItem[]>;

/** Maximum number of messages in one answer of the service. */
const MAX_PAGE_SIZE = 100;
/** Number of messages requested beyond the limit, so that a few service messages don't make a second call necessary. */
const SPARE_MESSAGES = 20;

/** See {@link MessengerReader.history}. One call, unless the range holds more than a hundred messages. */
export async function readHistory(read: Call, peer: PeerReference, range: HistoryRange): Promise<MessengerMessage[]> {
  const newestFirst: MessengerMessage[] = [];
  let beforeId = range.untilId + 1;
  while (newestFirst.length < range.limit && beforeId > range.afterId + 1) {
    const limit = Math.min(MAX_PAGE_SIZE, range.limit - newestFirst.length + SPARE_MESSAGES);
    const page = await fetchPage(read, peer, { beforeId, afterId: range.afterId, limit });
    if (page instanceof Api.messages.MessagesNotModified) break;
    const messages = page.messages.filter(({ id }) => id > range.afterId && id < beforeId);
    const people = indexPeople(page);
    const checklists = await readChecklists(read, peer, messages);
    newestFirst.push(...messages.flatMap(message => toMessage(message, people, checklists) ?? []));
    if (messages.length < limit) break;
    beforeId = Math.min(...messages.map(({ id }) => id));
  }
  return newestFirst.slice(0, range.limit).reverse();
}

function fetchPage(
  read: Call,
  peer: PeerReference,
  page: { beforeId: number; afterId: number; limit: number },
): Promise<Api.messages.TypeMessages> {
  // `maxId` only filters a page that starts at the newest message, so a range further down would come back empty
  // (found by Telethon, client/messages.py); `offsetId` starts the page at the right place.
  return read(
    new Api.messages.GetHistory({
      peer: inputPeer(peer),
      offsetId: page.beforeId,
      offsetDate: 0,
      addOffset: 0,
      limit: page.limit,
      maxId: 0,
      minId: page.afterId,
      hash: bigInt.zero,
    }),
  );
}

/** Maximum number of calls per page to read older checklists; titles of further checklists' tasks are left out. */
const MAX_FETCHED_CHECKLISTS = 3;

/** The checklists of which someone ticked tasks, with one call for each that is older than the page. */
async function readChecklists(read: Call, peer: PeerReference, page: Api.TypeMessage[]): Promise<Checklists> {
  const lists = new Map<number, Api.TypeTodoItem[]>();
  let fetched = 0;
  for (const message of page) {
    if (!(message instanceof Api.MessageService && message.action instanceof Api.MessageActionTodoCompletions)) continue;
    const { replyTo: id } = findReplyTo(message);
    if (id === undefined || lists.has(id)) continue;
    const isOnPage = page.some(one => one.id === id);
    if (!isOnPage && ++fetched > MAX_FETCHED_CHECKLISTS) continue;
    const alone = { beforeId: id + 1, afterId: id - 1, limit: 1 };
    const answer = isOnPage ? { messages: page } : await fetchPage(read, peer, alone);
    const found = 'messages' in answer ? answer.messages.find(message => message.id === id) : undefined;
    const media = found instanceof Api.Message ? found.media : undefined;
    lists.set(id, media instanceof Api.MessageMediaToDo ? media.todo.list : []);
  }
  return lists;
}

/** Undefined for an empty message, and for a notice of the messenger that says nothing. */
function toMessage(message: Api.TypeMessage, people: People, checklists: Checklists): MessengerMessage | undefined {
  if (message instanceof Api.MessageEmpty) return undefined;
  let content: Content | undefined;
  if (message instanceof Api.Message) {
    const { richMessage, media: attached } = message;
    const caption = message.message || (richMessage ? Rich.toPlainText(richMessage) : '');
    const media = readMedia(attached);
    content = { text: [caption, mediaText(attached)].filter(Boolean).join('\n'), ...(media && { media }) };
  } else content = readServiceContent(message, checklists);
  if (!content) return undefined;
  return {
    id: message.id,
    sentAt: new Date(message.date * 1000),
    fromUser: message.out === true,
    senderName: findSenderName(message, people),
    ...findSenderId(message),
    ...content,
    forwarded: message instanceof Api.Message && Boolean(message.fwdFrom),
    ...findReplyTo(message),
  };
}

function findSenderId({ fromId, peerId, out }: SentMessage): Pick<MessengerMessage, 'senderId'> {
  if (fromId) return { senderId: peerKey(fromId) };
  return out ? {} : { senderId: peerKey(peerId) };
}

/**
 * A reply to a message elsewhere, or to a story, answers nothing here. In a topic of a forum every message has a header that
 * leads to the first message of the topic, which only a reply names beside the message it replies to:
 * https://core.telegram.org/api/threads
 */
function findReplyTo({ replyTo }: SentMessage): Pick<MessengerMessage, 'replyTo'> {
  if (!(replyTo instanceof Api.MessageReplyHeader) || replyTo.replyToPeerId) return {};
  const isOnlyTopic = replyTo.forumTopic && !replyTo.replyToTopId;
  return replyTo.replyToMsgId && !isOnlyTopic ? { replyTo: replyTo.replyToMsgId } : {};
}

/** Messages in a private chat name no sender: it is the other person, or the user. */
function findSenderName(message: SentMessage, people: People): string {
  if (message.fromId) return peerName(people.get(peerKey(message.fromId)));
  if (!message.out) return peerName(people.get(peerKey(message.peerId)));
  return peerName([...people.values()].find(person => person instanceof Api.User && person.self));
}

/** Undefined for events without words, such as someone joining. */
function readServiceContent(message: Api.MessageService, checklists: Checklists): Content | undefined {
  const { action } = message;
  if (action instanceof Api.MessageActionPollAppendAnswer)
    return { text: action.answer.text.text, media: { kind: 'poll', name: '' } };
  if (action instanceof Api.MessageActionTodoAppendTasks)
    return { text: listTitles(action.list).join('\n'), media: { kind: 'checklist', name: '' } };
  if (!(action instanceof Api.MessageActionTodoCompletions)) return undefined;
  const tasks = checklists.get(findReplyTo(message).replyTo ?? 0) ?? [];
  const titles = (ids: number[]) => listTitles(tasks.filter(({ id }) => ids.includes(id)));
  const media: Media = { kind: 'checklist', name: formatDoneTasks(titles(action.completed)) };
  return { text: titles(action.incompleted).join('\n'), media };
}

function mediaText(media: Api.TypeMessageMedia | undefined): string {
  if (media instanceof Api.MessageMediaInvoice) return media.description;
  if (media instanceof Api.MessageMediaPoll) return media.poll.answers.map(({ text }) => text.text).join(' / ');
  if (!(media instanceof Api.MessageMediaToDo)) return '';
  return [media.todo.title.text, ...listTasks(media, { done: false })].join('\n');
}

function listTasks({ todo, completions }: Api.MessageMediaToDo, filter: { done: boolean }): string[] {
  const done = new Set(completions?.map(({ id }) => id));
  return listTitles(todo.list.filter(({ id }) => done.has(id) === filter.done));
}

const listTitles = (tasks: Api.TypeTodoItem[]): string[] => tasks.map(({ title }) => title.text);

/** A checklist's completed tasks as an attachment's name: in the message's text they would look like open work. */
const formatDoneTasks = (titles: string[]): string => titles.map(title => `✓ ${title}`).join(', ');

/** Stars are the messenger's own currency, which has no smaller unit. */
function formatAmount({ currency, totalAmount }: Api.MessageMediaInvoice): string {
  const amount = Number(totalAmount);
  return currency === 'XTR' ? formatQuantity(amount, 'Telegram Star', 'Telegram Stars') : formatMoney({ amount, currency });
}

/** Link previews are no media: their link is in the text. */
function readMedia(media: Api.TypeMessageMedia | undefined): Media | undefined {
  if (!media || media instanceof Api.MessageMediaEmpty || media instanceof Api.MessageMediaWebPage) return undefined;
  if (media instanceof Api.MessageMediaDocument) return readDocument(media);
  if (media instanceof Api.MessageMediaPaidMedia) return readPaidMedia(media);
  return { kind: MEDIA_KINDS[media.className] ?? 'other', name: mediaFileName(media) };
}

const MEDIA_KINDS: Record<string, MediaKind> = {
  MessageMediaPhoto: 'photo',
  MessageMediaGeo: 'location',
  MessageMediaGeoLive: 'location',
  MessageMediaVenue: 'location',
  MessageMediaContact: 'contact',
  MessageMediaDice: 'sticker',
  MessageMediaGame: 'sticker',
  MessageMediaStory: 'video',
  MessageMediaVideoStream: 'video',
  MessageMediaPoll: 'poll',
  MessageMediaToDo: 'checklist',
  MessageMediaInvoice: 'invoice',
};

function mediaFileName(media: Api.TypeMessageMedia): string {
  if (media instanceof Api.MessageMediaPoll) return media.poll.question.text;
  if (media instanceof Api.MessageMediaVenue) return [media.title, media.address].filter(Boolean).join(', ');
  if (media instanceof Api.MessageMediaContact) return [media.firstName, media.lastName].filter(Boolean).join(' ');
  if (media instanceof Api.MessageMediaToDo) return formatDoneTasks(listTasks(media, { done: true }));
  return media instanceof Api.MessageMediaInvoice ? [media.title, formatAmount(media)].filter(Boolean).join(', ') : '';
}

/** The messenger sends only a preview of media that are not paid for. */
function readPaidMedia({ extendedMedia: [first] }: Api.MessageMediaPaidMedia): Media {
  if (first instanceof Api.MessageExtendedMedia) return readMedia(first.media) ?? { kind: 'other', name: '' };
  return { kind: first?.videoDuration === undefined ? 'photo' : 'video', name: '' };
}

function readDocument(media: Api.MessageMediaDocument): Media {
  const attributes = media.document instanceof Api.Document ? media.document.attributes : [];
  const sticker = attributes.find(attribute => attribute instanceof Api.DocumentAttributeSticker);
  if (sticker) return { kind: 'sticker', name: sticker.alt };
  const audio = attributes.find(attribute => attribute instanceof Api.DocumentAttributeAudio);
  if (media.voice || audio?.voice) return { kind: 'voice', name: '' };
  if (media.video || media.round || attributes.some(isVideo)) return { kind: 'video', name: '' };
  const name = attributes.find(attribute => attribute instanceof Api.DocumentAttributeFilename)?.fileName;
  return { kind: 'document', name: name ?? '' };
}

function isVideo(attribute: Api.TypeDocumentAttribute): boolean {
  return attribute instanceof Api.DocumentAttributeVideo || attribute instanceof Api.DocumentAttributeAnimated;
}
