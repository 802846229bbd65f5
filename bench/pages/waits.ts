import { type FarDatabase, inARow } from '../support/farDatabase.ts';
import { type Ask, optionsOf } from './fragments.ts';

/** How many statements a page sends, and how many times in a row it waits for the database. */
export type Waits = { statements: number; inARow: number };

/** Far enough that parallel statements are seen as parallel. */
export const FAR_MILLISECONDS = 100;

/** Asks a service whose database is `far` for each of these, once it is warm. By name. */
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
    waits.set(ask.name, { statements: asked.length, inARow: inARow(asked).length });
  }
  return waits;
}
