import type { Crm } from '../../src/clients/crm/types.ts';
import { findVerdicts } from '../../src/features/contacts/matching/findVerdicts.ts';
import { dropSharedNameMatches } from '../../src/features/contacts/matching/matchPerson.ts';
import { AUTO_WRITE_CONFIDENCE } from '../../src/features/contacts/matching/rules.ts';
import type { MatchVerdict } from '../../src/features/contacts/matching/schema.ts';
import type { Chat, Truth, World } from './world.ts';

export type Count = {
  chats: number;
  right: number;
  wrong: number;
  /** A number that belongs to another name: proposed, but never confirmed automatically. */
  asked: number;
  openRight: number;
  openWrong: number;
  /** How many of those left open have the right one among the suggestions. */
  suggested: number;
};
export type Measure = {
  kinds: Map<string, Count>;
  precision: number;
  /** Leaving open what may be left open counts as right. */
  recall: number;
  /** Only links count. */
  linked: number;
  /** What went wrong, in words. */
  mistakes: string[];
};

/** Looks every conversation up and holds the verdicts against the truth. */
export async function measure(crm: Crm, world: World): Promise<Measure> {
  const people = world.chats.map(toPerson);
  const sought = people.map(person => ({ person, rejected: new Set<string>() }));
  const found = await findVerdicts(crm, sought);
  const judged = people.flatMap(person => {
    const verdict = found.get(person.dialogId);
    return verdict ? [{ ...person, verdict }] : [];
  });
  const verdicts = new Map(dropSharedNameMatches(judged, []).map(({ dialogId, verdict }) => [dialogId, verdict]));
  return compare(world, verdicts);
}

/** The accounts of these worlds are German. */
function toPerson({ id, name, phone, username }: Chat) {
  return { dialogId: id, messengerUserId: id, name, phone, username, callingCode: '49' };
}

function compare(world: World, verdicts: ReadonlyMap<string, MatchVerdict>): Measure {
  const kinds = new Map<string, Count>();
  const mistakes: string[] = [];
  const names = new Map(world.chats.map(({ id, name }) => [id, name]));
  for (const truth of world.truth) {
    const count = kinds.get(truth.kind) ?? {
      chats: 0,
      right: 0,
      wrong: 0,
      asked: 0,
      openRight: 0,
      openWrong: 0,
      suggested: 0,
    };
    const verdict = verdicts.get(truth.chatId);
    const outcome = outcomeOf(truth, verdict);
    const suggested = count.suggested + Number(isSuggested(truth, verdict));
    kinds.set(truth.kind, { ...count, chats: count.chats + 1, [outcome]: count[outcome] + 1, suggested });
    if (outcome === 'wrong' || (answerIsOpen(verdict) && truth.contactId !== null)) {
      const got = verdict?.contact ? `${verdict.contact.firstName} ${verdict.contact.lastName}` : 'nobody';
      mistakes.push(`${truth.kind}: ${names.get(truth.chatId)} is taken for ${got}, right is ${truth.contactId}`);
    }
  }
  return { kinds, ...totals(world.truth, kinds, verdicts), mistakes };
}

function isSuggested({ contactId }: Truth, verdict: MatchVerdict | undefined): boolean {
  return verdict?.contact === null && verdict.suggestions.some(({ contact }) => contact.id === contactId);
}

function answerIsOpen(verdict: MatchVerdict | undefined): boolean {
  return !verdict?.contact;
}

function outcomeOf(truth: Truth, verdict: MatchVerdict | undefined): Exclude<keyof Count, 'chats' | 'suggested'> {
  const answer = verdict?.contact?.id ?? null;
  const isRight = answer === truth.contactId || truth.alsoAcceptable.includes(answer);
  if (answer === null) return isRight ? 'openRight' : 'openWrong';
  if (verdict?.rule === 'phone' && verdict.confidence < AUTO_WRITE_CONFIDENCE) return 'asked';
  return isRight ? 'right' : 'wrong';
}

function totals(truths: readonly Truth[], kinds: ReadonlyMap<string, Count>, verdicts: ReadonlyMap<string, MatchVerdict>) {
  const sum = (pick: (count: Count) => number) => [...kinds.values()].reduce((total, count) => total + pick(count), 0);
  const [right, wrong] = [sum(count => count.right), sum(count => count.wrong)];
  const answerable = truths.filter(({ contactId }) => contactId !== null);
  const share = (holds: (truth: Truth) => boolean) => answerable.filter(holds).length / Math.max(1, answerable.length);
  return {
    precision: right + wrong === 0 ? 1 : right / (right + wrong),
    recall: share(truth => ['right', 'openRight'].includes(outcomeOf(truth, verdicts.get(truth.chatId)))),
    linked: share(truth => outcomeOf(truth, verdicts.get(truth.chatId)) === 'right'),
  };
}
