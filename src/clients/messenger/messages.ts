import bigInt from 'big-integer';
import { Api, Rich } from 'telegram';
import type { Call } from './connection.ts';
import { inputPeer, nameOf, type People, peerKey, peopleOf } from './peers.ts';
import type { Media, MediaKind, MessengerMessage, PeerReference } from './types.ts';

export type HistoryRange = { afterId: number; untilId: number; limit: number };

/** The most the service gives in one answer. */
const largestPage = 100;
/** Requested beyond the limit, so that a few service messages do not cost a second call. */
const spare = 20;

/** See {@link MessengerReader.history}. One call, unless the range holds more than a hundred messages. */
export async function readHistory(read: Call, peer: PeerReference, range: HistoryRange): Promise<MessengerMessage[]> {
  const newestFirst: MessengerMessage[] = [];
  let beforeId = range.untilId + 1;
  while (newestFirst.length < range.limit && beforeId > range.afterId + 1) {
    const limit = Math.min(largestPage, range.limit - newestFirst.length + spare);
    const page = await readPage(read, peer, { beforeId, afterId: range.afterId, limit });
    newestFirst.push(...page.messages);
    if (page.size < limit) break;
    beforeId = page.oldestId;
  }
  return newestFirst.slice(0, range.limit).reverse();
}

async function readPage(read: Call, peer: PeerReference, page: { beforeId: number; afterId: number; limit: number }) {
  // `maxId` only filters a page that starts at the newest message, so a range further down would come back empty
  // (found by Telethon, client/messages.py); `offsetId` starts the page at the right place.
  const history = await read(
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
  if (history instanceof Api.messages.MessagesNotModified) return { messages: [], size: 0, oldestId: 0 };
  const people = peopleOf(history);
  const within = history.messages.filter(message => message.id > page.afterId && message.id < page.beforeId);
  const written = within.filter(message => message instanceof Api.Message);
  return {
    messages: written.map(message => toMessage(message, people)),
    size: within.length,
    oldestId: Math.min(...within.map(message => message.id)),
  };
}

function toMessage(message: Api.Message, people: People): MessengerMessage {
  return {
    id: message.id,
    sentAt: new Date(message.date * 1000),
    fromUser: message.out === true,
    senderName: senderName(message, people),
    ...idOfSender(message),
    text: wordsOf(message),
    ...carried(message),
    forwarded: Boolean(message.fwdFrom),
    ...repliedTo(message),
  };
}

function idOfSender({ fromId, peerId, out }: Api.Message): Pick<MessengerMessage, 'senderId'> {
  if (fromId) return { senderId: peerKey(fromId) };
  return out ? {} : { senderId: peerKey(peerId) };
}

/**
 * A reply to a message elsewhere, or to a story, answers nothing here. In a topic of a forum every message has a header that
 * leads to the first message of the topic, which only a reply names beside the message it replies to:
 * https://core.telegram.org/api/threads
 */
function repliedTo({ replyTo }: Api.Message): Pick<MessengerMessage, 'replyTo'> {
  if (!(replyTo instanceof Api.MessageReplyHeader) || replyTo.replyToPeerId) return {};
  const isOnlyTopic = replyTo.forumTopic && !replyTo.replyToTopId;
  return replyTo.replyToMsgId && !isOnlyTopic ? { replyTo: replyTo.replyToMsgId } : {};
}

/** Messages in a private chat name no sender: it is the other person, or the user. */
function senderName(message: Api.Message, people: People): string {
  if (message.fromId) return nameOf(people.get(peerKey(message.fromId)));
  if (!message.out) return nameOf(people.get(peerKey(message.peerId)));
  return nameOf([...people.values()].find(person => person instanceof Api.User && person.self));
}

function wordsOf(message: Api.Message): string {
  const caption = message.message || (message.richMessage ? Rich.toPlainText(message.richMessage) : '');
  return [caption, wordsIn(message.media)].filter(Boolean).join('\n');
}

function wordsIn(media: Api.TypeMessageMedia | undefined): string {
  if (media instanceof Api.MessageMediaInvoice) return media.description;
  if (!(media instanceof Api.MessageMediaToDo)) return '';
  return [media.todo.title.text, ...tasksOf(media, { done: false })].join('\n');
}

function tasksOf({ todo, completions }: Api.MessageMediaToDo, wanted: { done: boolean }): string[] {
  const done = new Set(completions?.map(({ id }) => id));
  return todo.list.filter(({ id }) => done.has(id) === wanted.done).map(({ title }) => title.text);
}

function carried({ media }: Api.Message): Pick<MessengerMessage, 'media'> {
  const found = mediaOf(media);
  return found ? { media: found } : {};
}

/** Link previews are no media: their link is in the text. */
function mediaOf(media: Api.TypeMessageMedia | undefined): Media | undefined {
  if (!media || media instanceof Api.MessageMediaEmpty || media instanceof Api.MessageMediaWebPage) return undefined;
  if (media instanceof Api.MessageMediaDocument) return documentOf(media);
  if (media instanceof Api.MessageMediaPaidMedia) return paidMediaOf(media);
  return { kind: plainMedia[media.className] ?? 'other', name: nameIn(media) };
}

const plainMedia: Record<string, MediaKind> = {
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

function nameIn(media: Api.TypeMessageMedia): string {
  if (media instanceof Api.MessageMediaPoll) return media.poll.question.text;
  if (media instanceof Api.MessageMediaVenue) return [media.title, media.address].filter(Boolean).join(', ');
  if (media instanceof Api.MessageMediaContact) return [media.firstName, media.lastName].filter(Boolean).join(' ');
  // What is done is no longer to be done, so it isn't among the words.
  if (media instanceof Api.MessageMediaToDo)
    return tasksOf(media, { done: true })
      .map(text => `✓ ${text}`)
      .join(', ');
  return media instanceof Api.MessageMediaInvoice ? media.title : '';
}

/** Of media that are not paid for only a preview is sent. */
function paidMediaOf({ extendedMedia: [first] }: Api.MessageMediaPaidMedia): Media {
  if (first instanceof Api.MessageExtendedMedia) return mediaOf(first.media) ?? { kind: 'other', name: '' };
  return { kind: first?.videoDuration === undefined ? 'photo' : 'video', name: '' };
}

function documentOf(media: Api.MessageMediaDocument): Media {
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
