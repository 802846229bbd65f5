import { delivery, moving, offers } from './arrangements.ts';
import { clauseEnd } from './clauses.ts';
import type { Finder, Head } from './finding.ts';
import { awaiting, gerundRequests, politeRequests } from './politeRequests.ts';
import { bareFuture, handOver, others, promises } from './promises.ts';
import { imperatives, requests } from './requests.ts';
import type { Token } from './tagger.ts';

const FINDERS: Finder[] = [
  delivery,
  politeRequests,
  gerundRequests,
  awaiting,
  offers,
  moving,
  handOver,
  requests,
  promises,
  bareFuture,
  others,
  imperatives,
];

/** Per sentence: no one takes on more, and each head costs another look at what is before and after it. */
const MOST_HEADS = 24;

/** The heads of a sentence, left to right; no two share a word. */
export function findHeads(tokens: Token[]): Head[] {
  const heads: Head[] = [];
  // Within a promise, "and come back to you" continues it.
  let open = 0;
  for (let at = 0; at < tokens.length && heads.length < MOST_HEADS; at += 1) {
    for (const find of FINDERS) {
      const found = find(tokens, at);
      if (!found || (find === imperatives && at < open)) continue;
      open = clauseEnd(tokens, found.verb);
      heads.push({ ...found, from: at });
      at = Math.max(at, found.verb);
      break;
    }
  }
  return heads;
}
