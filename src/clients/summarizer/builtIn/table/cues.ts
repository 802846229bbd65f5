import { everywhere } from '../../languages/compile.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import type { Act, Doer } from '../types.ts';
import type { Grammar, Part } from './parts.ts';

export type Cued = { act: Act; doer: Doer; strength: number; withDate: number };

const ASKED = 0.7;
const WITH_DATE = 0.85;

/**
 * What a part takes on or asks for in a language without a table of verbs, by its cues alone. Greetings and courtesies ask for
 * nothing, though they often use the words of a request.
 */
export function readByCues({ folded, isQuestion }: Part, { acts }: Lexicon, grammar: Grammar): Cued | null {
  const said = folded.replaceAll(everywhere(acts.smallTalk), ' ');
  if (grammar.ask.test(said)) return request(acts.someone.test(said) ? 'someone' : 'listener', ASKED);
  if (isQuestion || acts.negation.test(said.replace(grammar.assures, ' '))) return null;
  if (grammar.takesOn.test(said)) return promise(0.6);
  if (grammar.handsOver.test(said)) return promise(0.3);
  if (grammar.owes.test(said)) return request('listener', 0.6);
  return acts.needs.test(said) ? request('listener', 0.5) : null;
}

function request(doer: Doer, strength: number): Cued {
  return { act: 'request', doer, strength, withDate: WITH_DATE };
}

function promise(strength: number): Cued {
  return { act: 'promise', doer: 'speaker', strength, withDate: WITH_DATE };
}
