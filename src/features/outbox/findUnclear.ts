import type { Crm } from '../../clients/crm/types.ts';
import type { Held } from './schema.ts';

/** How the CRM is asked for records of a kind. */
export type Finder<One extends Held> = {
  /** What identifies the record there, in its text; undefined where that is no longer known. */
  markerOf(item: One): string | undefined;
  find: Crm['findNotes' | 'findTasks'];
};

/** Of those that may be in the CRM without our knowing: their ids there, by the id of the row. */
export async function findUnclear<One extends Held>(
  items: readonly One[],
  { markerOf, find }: Finder<One>,
): Promise<Map<string, string>> {
  const lost = items.flatMap(item => {
    const marker = item.crmId === null && item.isUnclear ? markerOf(item) : undefined;
    return marker === undefined ? [] : [{ id: item.id, contactId: item.contactId, marker }];
  });
  const found = lost.length > 0 ? await find(lost) : new Map<string, string>();
  return new Map(
    lost.flatMap(({ id, marker }): [string, string][] => {
      const crmId = found.get(marker);
      return crmId === undefined ? [] : [[id, crmId]];
    }),
  );
}
