import { ClientError } from '../errors.ts';
import { AI_FORMATS, type AiFormat, type Summarizer, type Summary, type SummaryRequest } from './types.ts';

/** A made-up conversation in UTC. @param chat a message a line: when it was said, by which first name, and what */
function conversationOf(userName: string, peerName: string, chat: string): SummaryRequest {
  const messages = [...chat.matchAll(/^(\S+) (\S+): (.+)$/gm)].map(([, at, who = '', text = ''], index) => {
    const fromUser = userName.startsWith(who);
    const sentAt = new Date(`${at}:00Z`);
    return { id: index + 1, sentAt, fromUser, text, forwarded: false, senderName: fromUser ? userName : peerName };
  });
  return { peerName, userName, isGroup: false, style: 'BUSINESS', timezone: 'UTC', messages };
}

const SHORT_CHAT = `
2026-01-05T09:01 Sam: Hi Alex, can you send me the price list by Friday?
2026-01-05T09:02 Alex: Sure, I will send the price list on Friday morning.`;
export const SAMPLE = conversationOf('Alex', 'Sam', SHORT_CHAT);

/**
 * Has a conversation summarized, asking for JSON in one way after the other until the server takes one: to check once that
 * a service works with what this product asks of it. Throws as {@link Summarizer} does.
 */
export async function trySummary(
  create: (format: AiFormat) => Summarizer,
  { request, signal }: { request: SummaryRequest; signal: AbortSignal },
): Promise<{ summary: Summary; format: AiFormat }> {
  const last = AI_FORMATS.at(-1);
  for (const format of AI_FORMATS) {
    const tried = await create(format)
      .summarize(request, { signal })
      .catch(error => {
        const isRefused = error instanceof ClientError && error.code === 'AI_REFUSED_REQUEST';
        if (!isRefused || format === last) throw error;
      });
    if (tried) return { summary: tried, format };
  }
  throw new Error('not reached: the last format throws');
}

const DEMO_CHAT = `
2026-01-05T10:02 Claire: Lena, Ben Okafor passed on your number. Claire Whitfield, Harrow Foods. We need loggers on 30 sites, about 1,100 units. Current contract ends 18 March. Can you do that?
2026-01-05T10:14 Lena: Hello Claire. Yes: 1,100 units, 12 weeks lead time for the full number, 300 from stock straight away. Which sites first?
2026-01-05T10:20 Claire: The six chilled sites in Yorkshire. What I need to know: who picks up the phone at 2am?
2026-01-05T10:23 Lena: Tim or Anders, by name, rota published to customers. Average time to answer last year: 3 minutes 40
2026-01-05T10:24 Claire: Good. I'd like to see it. Can you come to Leeds?
2026-01-05T10:30 Lena: Gladly. 13 January or the day after?
2026-01-05T10:41 Claire: 13 January, 10:30. Site visit first, then my office. Steel toe caps if you have them
2026-01-05T10:45 Lena: I have them. See you then
2026-01-06T08:09 Claire: This is the site, come to gate B
2026-01-06T08:10 Claire: [location]
2026-01-06T08:12 Claire: Our IT lead, in case you need anything before the visit
2026-01-06T08:12 Claire: [contact]
2026-01-06T08:30 Lena: Thank you, noted. Would you mind if Priya Raman, who joins us as head of sales, comes along?
2026-01-06T08:44 Claire: Fine by me.
2026-01-07T15:35 Claire: Before Tuesday I need from you in writing: price for 1,100 incl. calibration, your recall procedure, and proof of insurance (5m minimum). By Monday please
2026-01-07T15:36 Claire: And an honest answer: did you have an outage today? Word travels, our transport manager knows theirs`;

/** A conversation of the demo, over three days: an inquiry, a visit, and a request to confirm in writing. */
export const DEMO_CONVERSATION = conversationOf('Lena Hartmann', 'Claire Whitfield', DEMO_CHAT);
