import type { Refusal } from '../../clients/crm/types.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { saveProblems } from '../contacts/matching/matchConversations.ts';
import { triesAfter } from '../crm/rules.ts';
import * as repo from './repo.ts';
import type { Held } from './schema.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from './whilePlansWait.ts';

type Refused<One> = {
  items: readonly One[];
  failure: CrmFailure;
  /** The CRM may have carried out an earlier call about them. */
  mayBeThere: boolean;
};

/** The CRM did not accept these: they are tried again later, or no more. */
export async function giveUp<One extends Held>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { items, failure, mayBeThere }: Refused<One>,
): Promise<void> {
  if (items.length === 0) return;
  const isGone = failure === 'CRM_CONTACT_GONE';
  const again = isGone ? { tries: 1, pauseSeconds: 0 } : triesAfter(failure);
  const refusal = { ids: items.map(({ id }) => id), failure, mayBeThere, ...again };
  batch.failures.add(
    { failure },
    items.map(({ dialogId }) => dialogId),
  );
  await whilePlansWait(deps, batch, trx => repo.refuse(trx, batch.kind, batch, refusal));
  if (!isGone) return;
  // Recorded with the match, so that nothing else is planned on this contact.
  const problems = items.map(({ dialogId, contactId }) => ({ dialogId, contactId, problem: 'CONTACT_GONE' as const }));
  await saveProblems(deps, { userId: batch.userId, problems });
}

/** The same for those that have a reason. */
export async function giveUpRefused<One extends Held>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { reasonOf, mayBeThere }: { reasonOf: (item: One) => Refusal | undefined; mayBeThere: boolean },
): Promise<void> {
  for (const [failure, items] of Map.groupBy(batch.items, reasonOf)) {
    if (failure) await giveUp(deps, batch, { items, failure, mayBeThere });
  }
}
