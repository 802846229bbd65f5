import { afterAdverbs, type Finder, isBase, low, SOMEONE } from './finding.ts';
import type { Token } from './tagger.ts';
import { baseOf } from './verbs.ts';

const COULD = /^(?:could|can|would|might|'d)$/;
/** What comes before "(if) you could". */
const HOPES =
  /^(?:wondering|great|good|nice|lovely|helpful|fantastic|amazing|awesome|brilliant|perfect|ideal|appreciate|appreciated|grateful|obliged|think|hoping|hope|suppose|chance|way|possible|help|helps)$/;

/** "It would be great if you could send it", "I was wondering if you could", "any chance you can", "do you think you could". */
export const politeRequests: Finder = (tokens, at) => {
  if (low(tokens, at) !== 'you' || !COULD.test(low(tokens, at + 1))) return null;
  const before = tokens.slice(Math.max(0, at - 4), at);
  const isPolite = before.some(({ low: word }) => HOPES.test(word));
  const verb = afterAdverbs(tokens, at + 2);
  if (
    !isPolite ||
    !isBase(tokens[verb]) ||
    /^(?:be|think|see|imagine|believe|join|need|want|like)$/.test(low(tokens, verb))
  )
    return null;
  return { act: 'request', doer: 'listener', verb, strength: 0.65, withDate: 0.85 };
};

const GERUND_ASKS = [['fancy'], ['you', 'mind'], ['up', 'for'], ['chance', 'of', 'you'], ['chance', 'of']];

/** "Fancy taking that on, Tanvi?", "would you mind sending it?", "any chance of getting the invoice today?" */
export const gerundRequests: Finder = (tokens, at) => {
  const asked = GERUND_ASKS.find(words => words.every((word, index) => low(tokens, at + index) === word));
  const verb = asked ? afterAdverbs(tokens, at + asked.length) : -1;
  const token = tokens[verb];
  if (!token?.low.endsWith('ing') || NO_GERUND.test(token.low)) return null;
  if (!tokens.some(({ low: word }) => word === '?')) return null;
  const isForAnyone = tokens.slice(Math.max(0, at - 2), at).some(({ low: word }) => SOMEONE.has(word));
  const base = baseOf(token);
  return {
    act: 'request',
    doer: isForAnyone ? 'someone' : 'listener',
    verb,
    instead: /^(?:get|have|receive)$/.test(base) ? 'give' : base,
    strength: 0.65,
    withDate: 0.85,
  };
};

const NO_GERUND = /^(?:morning|evening|thing|something|anything|nothing|going|being)$/;

/** Things to hand over if someone waits for them, unlike people. */
const AWAITED =
  /^(?:invoices?|contracts?|lease|quotes?|offer|reply|answer|sign-?off|signature|confirmation|payment|feedback|approval|list|numbers|figures|photos?|pics|draft|documents?|docs|papers?|report|details|info|address|go-?ahead|decision|deposit|proposal|refund|link|form|copy|file|files)$/;

/** "Still waiting for the invoice", "could do with a copy of the lease": what the listener is to hand over. */
export const awaiting: Finder = (tokens, at) => {
  const [word, next] = [low(tokens, at), low(tokens, at + 1)];
  const isWaiting = word === 'waiting' && /^(?:for|on)$/.test(next);
  const isNeeding = word === 'do' && next === 'with' && /^(?:could|can)$/.test(low(tokens, at - 1));
  if (!isWaiting && !isNeeding) return null;
  const thing = tokens.slice(at + 2, at + 6);
  const isYours =
    thing[0]?.low === 'your' || thing.some(({ low: of }, index) => of === 'from' && thing[index + 1]?.low === 'you');
  if (!isYours && !thing.some(({ low: of }) => AWAITED.test(of))) return null;
  if (isTheirs(tokens, at)) return null;
  return { act: 'need', doer: 'listener', verb: at + 1, instead: 'give', strength: 0.55, withDate: 0.8 };
};

/** "They are waiting for the invoice", "waiting for the supplier's answer". */
function isTheirs(tokens: Token[], at: number): boolean {
  return (
    tokens.slice(Math.max(0, at - 4), at).some(({ low: word }) => /^(?:he|she|they|you|it)$/.test(word)) ||
    tokens.slice(at, at + 6).some(({ low: word }) => word === "'s" || word === 'from')
  );
}
