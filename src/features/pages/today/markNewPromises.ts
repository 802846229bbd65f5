import { dayWords } from '../../../lib/words.ts';
import { isWritten } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import type { presentAgenda } from '../../promises/agenda/present.ts';
import type { News } from './repo.ts';

type Now = { now: Date; timezone: string };
type Agenda = ReturnType<typeof presentAgenda>;

/** Says of each promise on Today whether it came since the person last looked on an earlier day: `New since Thursday`. */
export function markNewPromises(agenda: Agenda, news: News | undefined, about: Now) {
  const since = news && sinceWords(news, about);
  const marked = <Row extends { id: string }>(rows: Row[]) =>
    rows.map(row => ({ ...row, newSince: news?.promises.has(row.id) ? since : undefined }));
  const { due, next, owed } = agenda;
  return {
    ...agenda,
    due: { ...due, rows: marked(due.rows) },
    next: { ...next, rows: marked(next.rows) },
    owed: { ...owed, rows: marked(owed.rows) },
  };
}

/** Which digests are marked as new. When all of them are, the heading says so and none is marked. */
export function newsOfDigests(
  digests: readonly Digest[],
  { news, arrived, ...about }: Now & { news?: News | undefined; arrived?: ReadonlySet<string> | undefined },
): { arrived: ReadonlySet<string> | undefined; allNew: string } {
  if (arrived || !news) return { arrived, allNew: '' };
  const written = digests.filter(isWritten);
  if (written.some(({ id }) => !news.digests.has(id))) return { arrived: news.digests, allNew: '' };
  return { arrived: undefined, allNew: written.length > 0 ? `All new ${sinceWords(news, about)}` : '' };
}

/** `since yesterday` */
function sinceWords({ since }: News, about: Now): string {
  return `since ${dayWords(since, about)}`;
}
