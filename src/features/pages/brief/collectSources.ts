import { describeMessages } from '../../digests/quoteSource.ts';
import type { ShownDigest, SourceMessage } from '../../digests/schema.ts';
import type { OwnPassage } from '../../messenger/consent/service.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { quotedAtOf, shortOf, toOwnPromise } from '../ask/passagesOf.ts';
import type { Brief } from './schema.ts';

type Source = { number: number; who: string; when: string };

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

type Said = { words: string; who?: string; source: number | null };

/** What a brief says, line by line, as a model may be given it: only lines whose source the page names. */
export function collectPassages() {
  const passages: OwnPassage[] = [];
  const sources = new Map<number, number>();
  const add = ({ words, who, source }: Said, of: Omit<OwnPassage, 'n' | 'lines'>) => {
    if (source === null) return;
    const n = passages.length + 1;
    sources.set(n, source);
    passages.push({ ...of, n, lines: [who ? `${who}: ${words}` : words] });
  };
  return {
    passages,
    /** The number on the page of what a passage rests on. */
    sourceOf: (n: number): number | null => sources.get(n) ?? null,
    addPromise(promise: SourcedPromise, said: Said): void {
      const { dialogId, quotedAt, firstSaidOn: day, peerKind } = promise;
      const name = nameOf(promise);
      const peer = peerKind === 'user' ? shortOf(name) : name;
      add(said, { peer, day, dialogId, quotedAt, promise: toOwnPromise(promise) });
    },
    addLine(digest: ShownDigest, said: Said & { day: string }): void {
      const name = nameOf(digest.dialog);
      const peer = digest.dialog.peerType === 'user' ? shortOf(name) : name;
      add(said, { peer, day: said.day, dialogId: digest.dialogId, quotedAt: quotedAtOf(digest) });
    },
  };
}
