import { createBuiltInSummarizer } from '../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Summary, SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { conversation } from './conversations.ts';

const summarizer = createBuiltInSummarizer();

/** Lines that begin with their day of November: "17 Ann: hello". The 17th is a Tuesday. */
export function datedLines(lines: string[], change: Partial<SummaryRequest> = {}): SummaryRequest {
  const { messages, ...request } = conversation(
    lines.map(line => line.slice(3)),
    { peerName: 'Ann', ...change },
  );
  const dated = messages.map((message, at) => ({
    ...message,
    sentAt: new Date(Date.UTC(2026, 10, Number(lines[at]?.slice(0, 2)), 9, at)),
  }));
  return { ...request, messages: dated };
}

/** What the built-in summarizer says of them. */
export async function digestDays(lines: string[], change: Partial<SummaryRequest> = {}): Promise<Summary> {
  return summarizer.summarize(datedLines(lines, change));
}
