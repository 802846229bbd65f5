import { expect } from 'chai';
import type { MessengerMessage } from '../../../../src/clients/messenger/types.ts';
import { toShownText } from '../../../../src/clients/summarizer/builtIn/lines.ts';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Exchange, ExchangeLine, SummaryRequest } from '../../../../src/clients/summarizer/types.ts';

const summarizer = createBuiltInSummarizer();

export async function excerptOf(request: SummaryRequest): Promise<Exchange[]> {
  return (await summarizer.summarize(request)).structured.exchanges ?? [];
}

export const linesOf = (exchanges: Exchange[]): ExchangeLine[] =>
  exchanges.flatMap(({ opener, answers }) => [opener, ...answers]);

/** Every span stands in its message as one piece, and the line names whoever wrote that message. */
export function expectOwnWords(
  exchanges: Exchange[],
  messages: MessengerMessage[],
  nameOf: (message: MessengerMessage) => string,
) {
  for (const line of linesOf(exchanges)) {
    expect(line.spans).to.not.be.empty;
    for (const span of line.spans) {
      const message = messages.find(({ id }) => String(id) === span.messageId);
      expect(message, span.messageId).to.not.equal(undefined);
      if (!message) continue;
      expect(toShownText(message.text)).to.include(span.text);
      expect(line.who).to.equal(nameOf(message));
      expect(line.fromUser).to.equal(message.fromUser);
    }
  }
}

export const firstName = ({ senderName }: MessengerMessage) => senderName.split(' ')[0] ?? '';
