import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { BigInteger } from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { HOME_DC } from './dataCentres.ts';
import { long } from './tl.ts';
import type { WorldMessage } from './world.ts';

type Media = { media: Api.TypeMessageMedia | undefined; caption: string };

const MIME_TYPES: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

/** The attachment and its caption. Stickers, polls and contacts have no caption: their text is part of them. */
export function tlMedia(dialogKey: string, message: WorldMessage): Media {
  const { text } = message;
  const id = mediaId(dialogKey, message);
  switch (message.media) {
    case null:
      return { media: undefined, caption: text };
    case 'photo':
      return { media: photo(id, message.date), caption: text };
    case 'location':
      return { media: location(id), caption: text };
    case 'contact':
      return { media: contact(text), caption: '' };
    case 'poll':
      return { media: poll(id, text), caption: '' };
    case 'sticker':
      return { media: document(id, message, 'image/webp', [sticker(text)]), caption: '' };
    case 'voice':
      return {
        media: document(id, message, 'audio/ogg', [new Api.DocumentAttributeAudio({ voice: true, duration: 7 })], {
          voice: true,
        }),
        caption: text,
      };
    case 'video':
      return {
        media: document(id, message, 'video/mp4', [new Api.DocumentAttributeVideo({ duration: 12, w: 1280, h: 720 })], {
          video: true,
        }),
        caption: text,
      };
    case 'document':
      return { media: document(id, message, mimeTypeOf(message.fileName), []), caption: text };
  }
}

/** An id of 48 bits, the same each time the message is read. */
function mediaId(dialogKey: string, message: WorldMessage): BigInteger {
  return long(createHash('sha256').update(`${dialogKey}:${message.id}`).digest().readUIntBE(0, 6));
}

function photo(id: BigInteger, date: number): Api.MessageMediaPhoto {
  const sizes = [new Api.PhotoSize({ type: 'x', w: 800, h: 600, size: 90_000 })];
  return new Api.MessageMediaPhoto({
    photo: new Api.Photo({ id, accessHash: id, fileReference: Buffer.alloc(8), date, sizes, dcId: HOME_DC }),
  });
}

function document(
  id: BigInteger,
  message: WorldMessage,
  mimeType: string,
  attributes: Api.TypeDocumentAttribute[],
  flags: { voice?: boolean; video?: boolean } = {},
): Api.MessageMediaDocument {
  const named = message.fileName ? [new Api.DocumentAttributeFilename({ fileName: message.fileName })] : [];
  return new Api.MessageMediaDocument({
    ...flags,
    document: new Api.Document({
      id,
      accessHash: id,
      fileReference: Buffer.alloc(8),
      date: message.date,
      mimeType,
      size: long(120_000),
      dcId: HOME_DC,
      attributes: [...attributes, ...named],
    }),
  });
}

function sticker(emoji: string): Api.DocumentAttributeSticker {
  return new Api.DocumentAttributeSticker({ alt: emoji, stickerset: new Api.InputStickerSetEmpty() });
}

function location(id: BigInteger): Api.MessageMediaGeo {
  return new Api.MessageMediaGeo({ geo: new Api.GeoPoint({ long: 13.4, lat: 52.5, accessHash: id }) });
}

function contact(name: string): Api.MessageMediaContact {
  return new Api.MessageMediaContact({ phoneNumber: '', firstName: name, lastName: '', vcard: '', userId: long(0) });
}

/** The world writes a poll as "Which day? Monday / Tuesday". */
function poll(id: BigInteger, words: string): Api.MessageMediaPoll {
  const plain = (text: string) => new Api.TextWithEntities({ text, entities: [] });
  const [question = '', options = '1 / 2'] = words.split(/(?<=\?)\s+/, 2);
  const answers = options.split(' / ').map(text => new Api.PollAnswer({ text: plain(text), option: Buffer.from(text) }));
  return new Api.MessageMediaPoll({
    poll: new Api.Poll({ id, question: plain(question), answers, hash: long(0) }),
    results: new Api.PollResults({ totalVoters: 0 }),
  });
}

function mimeTypeOf(fileName: string | null): string {
  return MIME_TYPES[extname(fileName ?? '').toLowerCase()] ?? 'application/octet-stream';
}
