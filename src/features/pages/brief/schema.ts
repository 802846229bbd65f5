import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import type { MatchedDialog } from '../../contacts/matching/schema.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { sentencesJson, writesInput } from '../ask/schema.ts';
import type { DayMood } from '../conversation/repo.ts';

export const briefInput = z.object({ dialogId: z.guid('This is not the ID of a conversation.'), sentences: writesInput });

/** Conversation with a colleague at the same company. */
const colleague = z.object({ dialogId: z.string(), peerName: z.string(), peerUsername: z.string(), peerPhone: z.string() });
export const colleagueRow = rowReader(colleague);
export type Colleague = z.output<typeof colleague>;

export const FACTS = ['money', 'days', 'numbers', 'files', 'contacts'] as const;
export type FactKind = (typeof FACTS)[number];

const source = z.int().nullable().meta({ description: 'The number of its source; null where that was not kept' });
const line = z.strictObject({ words: z.string(), day: z.iso.date(), source });
const owed = z.strictObject({ promiseId: z.string(), words: z.string(), who: z.string(), due: z.string(), source });

export const briefJson = z.strictObject({
  dialogId: z.string(),
  name: z.string(),
  about: z.array(z.string()).meta({ description: 'Company, email address and phone number, as far as they are known' }),
  colleagues: z.array(z.string()).meta({ description: 'Others of the same company, whose promises are included' }),
  sentences: sentencesJson('Numbers of the sources below'),
  promises: z.strictObject({
    mine: z.array(owed),
    theirs: z.array(owed),
    unassigned: z.array(owed),
    perhapsSettled: z
      .array(owed)
      .meta({ description: 'Open ones of either side that messages may have settled, unless their day is to come' }),
    kept: z.array(owed),
  }),
  facts: z.array(line.extend({ kind: z.enum(FACTS) })),
  weeks: z.array(z.strictObject({ week: z.string(), lines: z.array(line) })),
  sources: z.array(z.strictObject({ number: z.int(), who: z.string(), when: z.string() })),
  text: z.string().meta({ description: 'All of it as plain text' }),
});

/** `among`: only these conversations. */
export type BriefQuery = DialogKey & { among?: readonly string[] | undefined };

/** Briefing on a conversation and on colleagues at the same company. */
export type Brief = MatchedDialog & {
  colleagues: Colleague[];
  /** Newest day first. */
  digests: ShownDigest[];
  /** Open ones by day, and a few that were kept lately. */
  promises: SourcedPromise[];
  moods: DayMood[];
  /** URL of the contact's record; undefined without a contact. */
  contactUrl: string | undefined;
  /** YYYY-MM-DD, in the user's time zone. */
  today: string;
  timezone: string;
  now: Date;
};
