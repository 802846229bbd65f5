import { posix } from 'node:path';
import type { WorldMessage } from '../world.ts';
import type { ExportChat, ExportMessage, ExportServiceMessage, Sender } from './schema.ts';

type Media = WorldMessage['media'];
type Written = ExportMessage | ExportServiceMessage;
type Content = Pick<WorldMessage, 'text' | 'media' | 'fileName'>;
type From = (sender: Sender | null, name: string | null) => number | null;

const MEDIA_TYPES: Record<string, Media> = {
  voice_message: 'voice',
  video_message: 'video',
  video_file: 'video',
  animation: 'video',
  sticker: 'sticker',
  audio_file: 'document',
};

/**
 * Messages of a chat in the order of the file, with the file's ids. Messages that the exporting program could not read
 * are left out.
 */
export function toWorldMessages(chat: ExportChat, from: From): WorldMessage[] {
  return writtenMessages(chat).map(message => toWorldMessage(message, from));
}

export function writtenMessages(chat: ExportChat): Written[] {
  return chat.messages.filter(message => message.type !== 'unsupported');
}

/** The author, whom service messages call the actor. */
export function senderOf(message: Written): { sender: Sender | null; name: string | null } {
  if (message.type === 'service') return { sender: message.actor_id, name: message.actor ?? null };
  return { sender: message.from_id, name: message.from ?? null };
}

function toWorldMessage(message: Written, from: From): WorldMessage {
  const { sender, name } = senderOf(message);
  const common = { id: message.id, date: secondsOf(message), from: from(sender, name) };
  if (message.type === 'service') {
    const service = (message.action ?? 'service message').replaceAll('_', ' ');
    return { ...common, text: '', media: null, fileName: null, forwardedFrom: null, replyTo: null, service };
  }
  return {
    ...common,
    ...contentOf(message),
    // The key without a name is a forward from a deleted account.
    forwardedFrom: message.forwarded_from === null ? 'Deleted Account' : (message.forwarded_from ?? null),
    // A reply to a message of another chat can't be followed here.
    replyTo: message.reply_to_peer_id ? null : (message.reply_to_message_id ?? null),
    service: null,
  };
}

/**
 * Exports before 2021 lack the seconds; their dates are in the time of the computer that made them, most likely this
 * one.
 */
function secondsOf(message: Written): number {
  return message.date_unixtime === undefined ? Math.floor(Date.parse(message.date) / 1000) : Number(message.date_unixtime);
}

function contentOf(message: ExportMessage): Content {
  const media = mediaOf(message);
  const fileName = media === 'document' ? fileNameOf(message) : null;
  return { text: message.text || wordsOf(message, media), media, fileName };
}

function mediaOf(message: ExportMessage): Media {
  if (message.photo) return 'photo';
  if (message.media_type) return MEDIA_TYPES[message.media_type] ?? 'document';
  if (message.file) return 'document';
  if (message.poll) return 'poll';
  if (message.contact_information) return 'contact';
  return message.location_information === undefined && !message.place_name ? null : 'location';
}

/** Older exports name a file only by its path, or by a note in brackets when it was not exported. */
function fileNameOf(message: ExportMessage): string {
  const fromPath = message.file && !message.file.startsWith('(') ? posix.basename(message.file) : '';
  return message.file_name || fromPath || 'file';
}

/** The words for media without a text. */
function wordsOf(message: ExportMessage, media: Media): string {
  if (media === 'sticker') return message.sticker_emoji ?? '';
  if (media === 'location') return [message.place_name, message.address].filter(Boolean).join(', ');
  if (media === 'contact') {
    const { first_name, last_name, phone_number } = message.contact_information ?? {};
    return [first_name, last_name, phone_number].filter(Boolean).join(' ');
  }
  if (media !== 'poll') return '';
  const answers = message.poll?.answers?.map(answer => answer.text).join(' / ');
  return [message.poll?.question, answers].filter(Boolean).join(' ');
}
