import { createYielder } from '../../../lib/inSteps.ts';
import { saysNews } from '../languages/words.ts';
import { chooseExchanges, type ExchangeChosen, scoreNewsParts } from '../reader/choose.ts';
import { HEAD_COUNT, HEAD_INDEX } from '../reader/features.ts';
import type { AuthoredMessage } from '../readMessages.ts';
import type { Exchange, StructuredDigest, SummaryStyle } from '../types.ts';
import { joinLines, quoteMessage } from './lines.ts';
import type { ReadDay, ScoredRequest } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MAX_EXCHANGES: Record<SummaryStyle, number> = { MINIMAL: 4, BUSINESS: 8, DETAILED: 16 };
/** Maximum share of a day's messages that is shown, in percent. */
const SHOWN_PERCENT: Record<SummaryStyle, number> = { MINIMAL: 25, BUSINESS: 44, DETAILED: 70 };
/** Maximum number of words of an excerpt, except that its first exchange is always shown. */
const MAX_WORDS: Record<SummaryStyle, number> = { MINIMAL: 50, BUSINESS: 90, DETAILED: 200 };
/** Number of the newest day's exchanges that are preferred to all others. */
const NEWEST_DAY_EXCHANGES = 2;
const MAX_KEPT = 24;
const NEWS_WORD_BONUS = 60;
/** The user's own messages count for less as news than those of others, in percent. */
const USER_NEWS_PERCENT = 60;

/** The most relevant exchanges, two of the newest day preferred. Newest day first, in message order within a day. */
export function chooseExcerpt(read: ScoredRequest, style: SummaryStyle): Exchange[] {
  const limits = { most: MAX_EXCHANGES[style], share: SHOWN_PERCENT[style], joined: read.model.thresholds.joined };
  const chosen = read.days.flatMap(day =>
    chooseExchanges(day.scored, limits).map((exchange, n) => ({
      day,
      exchange,
      isNew: day === read.days.at(-1) && n < NEWEST_DAY_EXCHANGES,
    })),
  );
  const best = chosen
    .toSorted((a, b) => Number(b.isNew) - Number(a.isNew) || b.exchange.score - a.exchange.score)
    .slice(0, limits.most);
  let words = 0;
  const shown: { at: number; day: string; exchange: Exchange }[] = [];
  for (const { day, exchange } of best) {
    const quoted = exchange.messages.flatMap(at => quoteMessage(read, day, at, 'essential') ?? []);
    const lines = joinLines(quoted, day.said);
    const length = lines.flatMap(({ spans }) => spans.flatMap(({ text }) => text.split(/\s+/))).length;
    if (lines.length === 0 || (shown.length > 0 && words + length > MAX_WORDS[style])) continue;
    words += length;
    const [opener, ...answers] = lines;
    shown.push({
      at: exchange.messages[0]!,
      day: day.day,
      exchange: { opener: opener!, answers, isOver: isOver(read, day, exchange) },
    });
  }
  return shown.toSorted((a, b) => b.day.localeCompare(a.day) || a.at - b.at).map(({ exchange }) => exchange);
}

/** Whether the exchange settles something and leaves nothing to do. */
function isOver({ model }: ScoredRequest, { scored }: ReadDay, { messages }: ExchangeChosen): boolean {
  const most = (head: 'settles' | 'binds') =>
    Math.max(...messages.map(at => scored.scores[at * HEAD_COUNT + HEAD_INDEX[head]]!));
  return most('settles') > 0 && most('binds') < Math.min(0, model.thresholds.binds);
}

/** The lines of each day that matter most, with how newsworthy each is, in hundredths: only the newest day has news. */
export async function scoreKeptLines(read: ScoredRequest): Promise<NonNullable<StructuredDigest['keptLines']>> {
  // Looking for secrets takes long on a long day.
  const nextStep = createYielder();
  const kept: NonNullable<StructuredDigest['keptLines']> = [];
  for (const day of read.days) {
    const matters = (at: number) => day.scored.scores[at * HEAD_COUNT + HEAD_INDEX.matters]!;
    const most = day.said
      .map((_, at) => at)
      .toSorted((a, b) => matters(b) - matters(a) || a - b)
      .slice(0, MAX_KEPT);
    for (const at of most) {
      await nextStep();
      const line = quoteMessage(read, day, at, 'essential');
      const [span] = line?.spans ?? [];
      if (!line || !span) continue;
      // Messages that bind are listed as promises, so they don't count here.
      const [important = 0, ends = 0, waits = 0] = day === read.days.at(-1) ? scoreNewsParts(day.scored, at) : [];
      const score =
        Math.round((important + 1.5 * ends + waits) * (line.fromUser ? USER_NEWS_PERCENT : 100)) +
        (day === read.days.at(-1) ? newsBonus(read, day.said[at]!) : 0);
      kept.push({ who: line.who, text: renderSpan(span), messageId: line.messageId, score });
    }
  }
  return kept;
}

/** The extra score of a message of someone else that says something was signed, paid or cancelled, in hundredths. */
function newsBonus({ language }: ScoredRequest, { message: { fromUser, forwarded, text } }: AuthoredMessage): number {
  return !fromUser && !forwarded && saysNews(text, language) ? NEWS_WORD_BONUS : 0;
}

/** News score of the newest day, in hundredths: the best score of each part, whichever message has it. */
export function scoreDayNews(read: ScoredRequest): number {
  const day = read.days.at(-1);
  const named = Math.max(0, ...(day?.said.map(one => newsBonus(read, one)) ?? []));
  const parts = day?.said.map((_, at) => scoreNewsParts(day.scored, at)) ?? [];
  const most = (n: number) => Math.max(0, ...parts.map(part => part[n]!));
  return named + Math.round(100 * [0, 1, 2, 3].reduce((sum, n) => sum + most(n), 0));
}
