import type { Waits } from './waits.ts';

/** What one page or form asked of the database. */
export type AskedPage = Waits & { isPage: boolean };

/**
 * How often in a row a page may wait for the database: who it is, what the page is about, what is on it, and one more.
 * Wherever the database is, this is what a person waits for. A form may be a transaction, which is asked in order;
 * test/roundTrips.test.ts has the bound of each.
 */
const IN_A_ROW = { page: 4, form: 11 };
/** Each statement costs a connection, a round trip, and a turn at the database that other readers wait for. */
export const STATEMENTS = 15;
/** Up to here an answer is felt as immediate: Nielsen, Usability Engineering, chapter 5. */
const MILLISECONDS = 100;
/** A page has few rows, however many there are of other days. */
const TO_MANY = 1.3;
/** The bare page takes two statements: one for who it is, one for everything else. */
const OF_BARE_PAGE = 2;
/** Rendering, the layout and the checks of a request cost about as much as this many statements. */
const OF_RENDERING = 2;

/**
 * A statement of the service costs about as much as one of the bare page: fewer rows, but a round trip of its own. So a
 * page may cost as many times the bare one as it has more statements, counting rendering. A form is compared with its
 * own statements sent side by side, so only the waiting in a row and the rendering may be added.
 */
export function boundsOf({ statements, inARow, isPage }: AskedPage) {
  return {
    inARow: isPage ? IN_A_ROW.page : IN_A_ROW.form,
    statements: STATEMENTS,
    milliseconds: MILLISECONDS,
    toBare: isPage ? (statements + OF_RENDERING) / OF_BARE_PAGE : (statements + inARow + OF_RENDERING) / statements,
    toMany: TO_MANY,
  };
}
