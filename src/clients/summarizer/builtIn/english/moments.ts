import type { Move, Reading } from '../types.ts';

/** What people do on the spot: at a counter, at a doctor's, at a table. */
const ON_THE_SPOT: RegExp[] = [
  /^(?:take|have|grab) (?:a |the |your |their )?(?:seat|walk|rest|bite|sip|deep breath|coat|message|great time|good time)(?!\p{L})/u,
  /^(?:take off|put on|roll up|lie|lean|breathe|sit|stand|step|hold|hang|go ahead|go lower|go eat|drive safely|end up|undress|wait)(?!\p{L})/u,
  /^open (?:the |their )?(?:mouth|eyes|hand)s?(?!\p{L})/u,
  /^check (?:in|out)(?: at| to| (?:this|that|these|those)(?: one)?)?(?= |$)(?! the)/u,
  /^give .{0,30}(?<!\p{L})(?:minutes?|moment|second|while|hand|smile|help)(?!\p{L})/u,
  /^(?:be|have been)(?= )(?! (?:there|here|at|in|back|on|ready|with|available)(?!\p{L}))/u,
  /^do .{1,40} (?:a|another|this|one) (?:big |small |huge |little )?favou?r/u,
  /(?<!\p{L})(?:over there|right there|right here|on the rocks)(?!\p{L})/u,
];

/** Nothing is left of it when the talk is over; where a day is named, it is something to remember. */
export function isOfMoment({ deed, when }: Move): boolean {
  return when === null && deed !== null && ON_THE_SPOT.some(pattern => pattern.test(deed.words));
}

/** "Will do". */
export function isDoingSo({ act, deed, when }: Move): boolean {
  return act === 'promise' && when === null && /^do(?: (?:it|that|so))?$/.test(deed?.words ?? '');
}

const GREETINGS =
  /(?<!\p{L})(?:say (?:hi|hello|hey)|give .{1,40}(?<!\p{L})(?:regards|love|best|hug|kiss|cuddle)|my (?:love|best|regards) to|regards to|love to|hi to|hello to|take care|drive safe(?:ly)?|get well|rest up|look after yourself|have (?:a|fun)|enjoy)(?!\p{L})/u;

/** "Say hi to Moira": a courtesy, and a yes to it takes nothing on. */
export function passesOnGreetings(heard: Reading[]): boolean {
  const last = heard.at(-1);
  return last !== undefined && GREETINGS.test(last.folded);
}
