import { describeMessages } from '../../digests/quoteSource.ts';
import type { SourceMessage } from '../../digests/schema.ts';
import type { Brief } from './service.ts';

export type Source = { number: number; who: string; when: string };

export type Cite = ((messages: readonly SourceMessage[], ids: readonly string[]) => number | null) & { all: Source[] };

/** Numbers the sources in the order in which they are first named; what rests on the same message has one number. */
export function collectSources({ today, timezone }: Brief): Cite {
  const numbers = new Map<string, number>();
  const all: Source[] = [];
  const cite = (messages: readonly SourceMessage[], ids: readonly string[]) => {
    const of = messages.filter(({ id }) => ids.includes(id));
    const last = of.at(-1);
    const [told] = last ? describeMessages([last], NO_PEER, { today, timezone }).lines : [];
    if (!last || !told) return null;
    const key = `${last.sender} ${last.sentAt} ${last.id}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    all.push({ number: all.length + 1, who: told.name, when: told.when });
    numbers.set(key, all.length);
    return all.length;
  };
  return Object.assign(cite, { all });
}

const NO_PEER = { peerUsername: '', peerPhone: '', peer: { kind: 'user' as const, id: '' } };
