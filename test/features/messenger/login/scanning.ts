import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { compact, post, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { person, world } from '../../../support/worlds.ts';

export const PASSWORD = 'tulip';
export const SECOND = person(1900, { firstName: 'Sol', phone: '+34600111555' });
export const worlds = [
  world(),
  world({ key: 'second', owner: SECOND }),
  world({ key: 'locked', owner: person(2000, { firstName: 'Olu', phone: '+34600111333' }), password: PASSWORD }),
  world({ key: 'distant', owner: person(4000, { firstName: 'Bo', phone: '+34600444444' }), dc: 4 }),
  world({ key: 'both', owner: person(5000, { firstName: 'Kim', phone: '+34600555555' }), dc: 5, password: PASSWORD }),
];

const MAX_QUESTIONS = 300;
const PAUSE_MS = 100;

/** Has a code shown. */
export async function begin(agent: Agent): Promise<void> {
  await post(agent, '/connect/scan').expect(303).expect('Location', '/connect/scan');
}

/** The picture on the page, or ''. */
export function codeShown(html: string): string {
  return /<div class="qr"[^>]*>(.*?)<\/div>/.exec(compact(html))?.[1] ?? '';
}

type Answer = Awaited<ReturnType<Agent['get']>>;

/** Asks as the page does, until an answer is what is awaited. Every answer before it is a page. */
export async function untilAnswered(agent: Agent, isAwaited: (answer: Answer) => boolean, htmx = false): Promise<Answer> {
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    const answer = await agent.get('/connect/scan').set(htmx ? { 'HX-Request': 'true' } : {});
    if (isAwaited(answer)) return answer;
    expect(answer.status, wordsOf(answer.text)).to.equal(200);
    await sleep(PAUSE_MS);
  }
  throw new Error('what was awaited did not come');
}

/** Where the page leads once the code is scanned. */
export async function ledTo(agent: Agent): Promise<string> {
  const { headers } = await untilAnswered(agent, answer => answer.headers.location !== undefined);
  return headers.location ?? '';
}

/** The page once it says so. */
export async function untilSaid(agent: Agent, words: RegExp): Promise<string> {
  return (await untilAnswered(agent, ({ text }) => words.test(text))).text;
}
