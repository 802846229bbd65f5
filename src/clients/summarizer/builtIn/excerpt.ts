import { createYielder } from '../../../lib/inSteps.ts';
import { saysNews } from '../languages/words.ts';
import { chooseExchanges, type ExchangeChosen, newsPartsOf } from '../reader/choose.ts';
import { COUNT, HEAD } from '../reader/features.ts';
import type { AuthoredMessage } from '../readMessages.ts';
import type { Exchange, ExchangeLine, StructuredDigest, SummaryStyle } from '../types.ts';
import { joinLines, lineOf } from './lines.ts';
import type { ReadDay, ScoredRequest } from './readRequest.ts';
import { renderSpan } from './render.ts';

const MOST: Record<SummaryStyle, number> = { MINIMAL: 4, BUSINESS: 8, DETAILED: 16 };
/** How many of a hundred messages of a day are shown at most. */
const SHARE: Record<SummaryStyle, number> = { MINIMAL: 25, BUSINESS: 44, DETAILED: 70 };
/** Words of an excerpt, after which no exchange is added. */
const MOST_WORDS: Record<SummaryStyle, number> = { MINIMAL: 50, BUSINESS: 90, DETAILED: 200 };
/** How many exchanges of the newest day are shown in any case. */
const MOST_NEW = 2;
const MOST_KEPT = 24;
const NEWS_WORD_BONUS = 60;
/** The user's own messages count for less as news than those of others, in percent. */
const USER_NEWS_PERCENT = 60;

type ChosenExchange = { of: ReadDay; exchange: ExchangeChosen };

/** The exchanges that matter most, and some of the newest day, until there are enough; the newest day first, each in its order. */
export function chooseExcerpt(read: ScoredRequest, style: SummaryStyle): Exchange[] {
  const chosen = read.days.flatMap(of =>
    choose(read, of, style).map((exchange, n) => ({ of, exchange, isNew: of === read.days.at(-1) && n < MOST_NEW })),
  );
  const best = chosen
    .toSorted((one, other) => Number(other.isNew) - Number(one.isNew) || other.exchange.score - one.exchange.score)
    .slice(0, MOST[style]);
  let words = 0;
  const shown: { at: number; day: string; exchange: Exchange }[] = [];
  for (const { of, exchange } of best) {
    const lines = linesOf(read, { of, exchange });
    const length = lines.flatMap(({ spans }) => spans.flatMap(({ text }) => text.split(/\s+/))).length;
    if (lines.length === 0 || (shown.length > 0 && words + length > MOST_WORDS[style])) continue;
    words += length;
    const [opener, ...answers] = lines;
    shown.push({
      at: exchange.messages[0]!,
      day: of.day,
      exchange: { opener: opener!, answers, isOver: isOver(read, of, exchange) },
    });
  }
  return shown
    .toSorted((one, other) => other.day.localeCompare(one.day) || one.at - other.at)
    .map(({ exchange }) => exchange);
}

function choose({ model }: ScoredRequest, { scored }: ReadDay, style: SummaryStyle): ExchangeChosen[] {
  return chooseExchanges(scored, { most: MOST[style], share: SHARE[style], joined: model.thresholds.joined });
}

function linesOf(read: ScoredRequest, { of, exchange }: ChosenExchange): ExchangeLine[] {
  const lines = exchange.messages.flatMap(at => lineOf(read, of, at, 'essential') ?? []);
  return joinLines(lines, of.said);
}

/** It settles something and leaves nothing to do. */
function isOver({ model }: ScoredRequest, { scored }: ReadDay, { messages }: ExchangeChosen): boolean {
  const most = (head: 'settles' | 'binds') => Math.max(...messages.map(at => scored.scores[at * COUNT + HEAD[head]]!));
  return most('settles') > 0 && most('binds') < Math.min(0, model.thresholds.binds);
}

/** The lines of each day that matter most, with how newsworthy each is, in hundredths: only the newest day has news. */
export async function keptLines(read: ScoredRequest): Promise<NonNullable<StructuredDigest['keptLines']>> {
  // Looking for secrets takes long on a long day.
  const nextStep = createYielder();
  const kept: NonNullable<StructuredDigest['keptLines']> = [];
  for (const day of read.days) {
    const matters = (at: number) => day.scored.scores[at * COUNT + HEAD.matters]!;
    const most = day.said
      .map((_, at) => at)
      .toSorted((one, other) => matters(other) - matters(one) || one - other)
      .slice(0, MOST_KEPT);
    for (const at of most) {
      await nextStep();
      const line = lineOf(read, day, at, 'essential');
      const [span] = line?.spans ?? [];
      if (!line || !span) continue;
      // Messages that bind are listed as promises, so they don't count here.
      const [important = 0, ends = 0, waits = 0] = day === read.days.at(-1) ? newsPartsOf(day.scored, at) : [];
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

/** How newsworthy the newest day is, in hundredths: one message may end something, another wait. */
export function newsOfDay(read: ScoredRequest): number {
  const day = read.days.at(-1);
  const named = Math.max(0, ...(day?.said.map(one => newsBonus(read, one)) ?? []));
  const parts = day?.said.map((_, at) => newsPartsOf(day.scored, at)) ?? [];
  const most = (n: number) => Math.max(0, ...parts.map(part => part[n]!));
  return named + Math.round(100 * [0, 1, 2, 3].reduce((sum, n) => sum + most(n), 0));
}
