import { expect } from 'chai';
import { parseExport } from '../../../../sandbox/messenger/export.ts';
import { account, chat, dialog, message } from './records.ts';

describe('A message of an export', () => {
  const only = (fields: Record<string, unknown>) => {
    const [first] = dialog(parseExport(account(chat({ messages: [message(fields)] }))), 'user:41').messages;
    if (!first) throw new Error('the message is missing');
    return first;
  };

  it('joins text that comes as a list of strings and entities', () => {
    const text = ['See ', { type: 'link', text: 'https://example.org' }, ', ', { type: 'bold', text: 'today' }, '!'];
    expect(only({ text }).text).to.equal('See https://example.org, today!');
  });

  it('takes its time from date_unixtime', () => {
    expect(only({ date: '2026-11-02T09:40:04', date_unixtime: '1793612404' }).date).to.equal(1793612404);
  });

  const media: [string, Record<string, unknown>, object][] = [
    ['a photo with its caption', { photo: 'photos/1.jpg', text: 'The stand' }, { media: 'photo', text: 'The stand' }],
    ['a voice message', { file: 'v.ogg', media_type: 'voice_message', text: '' }, { media: 'voice', fileName: null }],
    ['a round video', { file: 'v.mp4', media_type: 'video_message' }, { media: 'video' }],
    ['an animation', { file: 'v.mp4', media_type: 'animation' }, { media: 'video' }],
    [
      'a sticker',
      { file: 's.webp', media_type: 'sticker', sticker_emoji: '👍', text: '' },
      { media: 'sticker', text: '👍' },
    ],
    ['music', { file: 'files/song.mp3', media_type: 'audio_file' }, { media: 'document', fileName: 'song.mp3' }],
    ['a file', { file: '(File not included.)', file_name: 'Offer.pdf' }, { media: 'document', fileName: 'Offer.pdf' }],
    [
      'a place',
      { location_information: null, place_name: 'Gate 4', address: 'Hull', text: '' },
      { media: 'location', text: 'Gate 4, Hull' },
    ],
    [
      'a contact',
      { contact_information: { first_name: 'Eva', last_name: '', phone_number: '+44 7700 900321' }, text: '' },
      { media: 'contact', text: 'Eva +44 7700 900321' },
    ],
    [
      'a poll',
      { poll: { question: 'When?', answers: [{ text: 'Tue' }, { text: 'Wed' }] }, text: '' },
      { media: 'poll', text: 'When? Tue / Wed' },
    ],
    ['a forwarded message', { forwarded_from: 'Ivo Bakker' }, { forwardedFrom: 'Ivo Bakker', media: null }],
    ['a forward from a deleted account', { forwarded_from: null }, { forwardedFrom: 'Deleted Account' }],
  ];
  for (const [name, fields, result] of media) {
    it(`can be ${name}`, () => expect(only(fields)).to.include(result));
  }
});
