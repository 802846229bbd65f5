import type { Turns } from '../../../lib/turns.ts';
import { presentWritten } from '../ask/present.ts';
import { type AnswerDeps, findSentences, tryWriting } from '../ask/service.ts';
import { presentBrief, withSentences } from './present.ts';
import { type BriefDeps, getBrief } from './service.ts';

export type DescribeDeps = BriefDeps & AnswerDeps & { turns: Turns };
export type DescribedBrief = Awaited<ReturnType<typeof describeBrief>>;

/**
 * A brief with the sentences that a model wrote over it, from lines of conversations whose person agreed to that.
 * @param asked.writes whether the model is asked for them where it has not written them yet
 */
export async function describeBrief(
  deps: DescribeDeps,
  { userId, dialogId, writes }: { userId: string; dialogId: string; writes: boolean },
) {
  const shown = presentBrief(await deps.turns(userId, () => getBrief(deps, { userId, dialogId })));
  const { passages, sourceOf } = shown;
  const find = writes ? tryWriting : findSentences;
  const written = await find(deps, { userId, question: undefined, passages });
  return withSentences(shown, presentWritten(written, { sourceOf, settings: `/conversations/${shown.id}/writer` }));
}
