import { type FarDatabase, sequentialQueries } from '../support/farDatabase.ts';
import { type Ask, optionsOf } from './fragments.ts';

/** How many statements a page sends, and how many times in a row it waits for the database. */
export type Waits = { statements: number; inARow: number };

/** Far enough for parallel statements to show as parallel. */
export const FAR_MILLISECONDS = 100;

/** Requests each of these from a service whose database is `far`, once it is warm. Results by name. */
export async function measureWaits(
  far: FarDatabase,
  { url, cookie, asks }: { url: string; cookie: string; asks: Ask[] },
): Promise<Map<string, Waits>> {
  const send = async (ask: Ask) => {
    const answer = await fetch(`${url}${ask.path}`, { ...optionsOf(ask, cookie), redirect: 'manual' });
    await answer.text();
  };
  const waits = new Map<string, Waits>();
  for (const ask of asks) {
    await send(ask);
    const asked = far.listen();
    await send(ask);
    waits.set(ask.name, { statements: asked.length, inARow: sequentialQueries(asked).length });
  }
  return waits;
}
