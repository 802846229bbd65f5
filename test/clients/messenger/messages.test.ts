import bigInt from 'big-integer';
import { expect } from 'chai';
import { Api } from 'telegram';
import type { Call } from '../../../src/clients/messenger/connection.ts';
import { readHistory } from '../../../src/clients/messenger/messages.ts';

/** What the library makes of one message: the vendor's own objects, without the wire. */
async function read(about: { message?: string; media?: Api.TypeMessageMedia; replyTo?: Api.TypeMessageReplyHeader }) {
  const peerId = new Api.PeerChat({ chatId: bigInt(21) });
  const message = new Api.Message({ id: 9, peerId, date: 1_780_000_000, message: '', ...about });
  const answer = new Api.messages.Messages({ messages: [message], topics: [], chats: [], users: [] });
  const call = (async () => answer) as unknown as Call;
  const [found] = await readHistory(
    call,
    { kind: 'chat', id: '21', accessHash: '' },
    { afterId: 0, untilId: 9, limit: 5 },
  );
  if (!found) throw new Error('the message was not read');
  return found;
}

describe('A message in a topic of a forum', () => {
  const inTopic = { forumTopic: true, replyToMsgId: 3 };

  it('replies to nothing by being there', async () => {
    expect(await read({ replyTo: new Api.MessageReplyHeader(inTopic) })).not.to.have.property('replyTo');
  });

  it('replies to the message that its author chose', async () => {
    const header = { forumTopic: true, replyToMsgId: 7, replyToTopId: 3 };
    expect(await read({ replyTo: new Api.MessageReplyHeader(header) })).to.include({ replyTo: 7 });
  });
});
