import * as kinds from './kinds.ts';
import type { Maker } from './maker.ts';
import { FIRST_NAMES, LAST_NAMES } from './names.ts';
import * as phoneKinds from './phoneKinds.ts';
import { type Random, seededRandom } from './random.ts';
import type { Truth, World } from './world.ts';

/** So few names that first and last names occur in many combinations, as in a contact book of one region. */
const NAMES = 40;
const CHATS = 250;
const BYSTANDERS = 250;

/** People, their contact book and the truth, different for every seed. */
export function generateWorld(seed: number): World {
  const world: World = { name: `generated people ${seed}`, chats: [], contacts: [], truth: [] };
  const maker = makerFor(world, seededRandom(seed));
  const makers = Object.values({ ...kinds, ...phoneKinds });
  for (let at = 0; world.chats.length < CHATS; at++) makers[at % makers.length]?.(maker);
  for (let at = 0; at < BYSTANDERS; at++) {
    const { first, last } = maker.fresh();
    maker.addContact({ firstname: first, lastname: last });
  }
  return world;
}

function makerFor(world: World, random: Random): Maker {
  const firsts = random.shuffled(FIRST_NAMES).slice(0, NAMES);
  const lasts = random.shuffled(LAST_NAMES).slice(0, NAMES);
  const taken = new Set<string>();
  const claim = (first: string, last: string) => {
    const keys = [`${first} ${last}`, `${last} ${first}`];
    if (keys.some(key => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  };
  return {
    random,
    claim,
    fresh() {
      for (;;) {
        const [first, last] = [random.pick(firsts), random.pick(lasts)];
        if (claim(first, last)) return { first, last };
      }
    },
    phone: () =>
      random.pick([(n: string) => `+4917${n}`, (n: string) => `+447911${n.slice(2)}`, (n: string) => `+3361${n.slice(1)}`])(
        String(10_000_000 + random.below(89_999_999)).padStart(8, '0'),
      ),
    addContact(contact) {
      const id = String(5001 + world.contacts.length);
      world.contacts.push({ email: `person${id}@mail.example`, company: '', ...contact, id });
      return id;
    },
    addChat(kind, chat, contactId, alsoAcceptable = []) {
      const id = String(700_001 + world.chats.length);
      world.chats.push({ name: '', phone: '', username: '', ...chat, id });
      const truth: Truth = { chatId: id, kind, contactId, alsoAcceptable };
      world.truth.push(truth);
    },
  };
}
