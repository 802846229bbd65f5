import type { AnswerPassage, AnswerSentence, Summarizer } from '../../../clients/summarizer/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import { type Db, lockNamed, type UserKey } from '../../../lib/db.ts';
import type { AccountKey, DialogKey } from '../dialogs/schema.ts';
import * as repo from './repo.ts';
import { chooseEndReason, findConsentChoice, findPassageConsent, isSameChoice, mayBeSent } from './rules.ts';
import type { AiService, ChoiceScope, NewChoice, WriterChoice } from './schema.ts';

/** Returns the summarizer that may read a conversation right now. */
export type SummarizerFor = (about: DialogKey) => Promise<Summarizer>;

type Summarizers = { db: Db; builtIn: Summarizer; ai: Summarizer | undefined; aiService: AiService | undefined };

/**
 * The only place that decides which data a model gets. The returned model checks again at each conversation's turn, since
 * consent can be withdrawn meanwhile.
 */
export function createSummarizerChoice({ db, builtIn, ai, aiService }: Summarizers): SummarizerFor {
  const findConsent = async ({ userId, dialogId }: DialogKey) => {
    const consentContext = (await repo.listConsentContexts(db, { userId, dialogIds: [dialogId] })).get(dialogId);
    return consentContext && findConsentChoice(consentContext, aiService);
  };
  return async about => {
    if (!ai || !(await findConsent(about))) return builtIn;
    return {
      ...ai,
      async summarize(request, options) {
        const consent = await findConsent(about);
        if (!consent) return builtIn.summarize(request, options);
        const { openPromises = [], itemsLeftOpen = [] } = request;
        const sent = {
          itemsLeftOpen: itemsLeftOpen.filter(item => mayBeSent(item, consent)),
          openPromises: openPromises.filter(promise => mayBeSent(promise, consent)),
        };
        const summary = await ai.summarize({ ...request, ...sent }, options);
        // Promises quoted before the consent stay here: rules on this server read what the messages say of them.
        const withheld = openPromises.filter(promise => !mayBeSent(promise, consent));
        if (withheld.length === 0) return summary;
        const { closings = [] } = await builtIn.summarize({ ...request, openPromises: withheld });
        return { ...summary, closings: [...(summary.closings ?? []), ...closings] };
      },
    };
  };
}

/** Stores who writes the digests of an account, or of one conversation, which must be the user's own. */
export async function storeChoice({ db, clock }: Timed, scope: ChoiceScope, choice: NewChoice) {
  await db.transaction(trx => replaceChoice(trx, scope, { choice, now: clock.now() }));
}

/**
 * Stores the choice made while connecting an account. The API doesn't ask: new accounts follow the operator's setting, known
 * ones keep their owner's answer, or the next page asks.
 */
export async function storeChoiceOfAccount(
  trx: Db,
  owned: AccountKey,
  { choice, isNew, now }: { choice: NewChoice | undefined; isNew: boolean; now: Date },
): Promise<void> {
  if (!choice || (choice.writer === 'operator' && !isNew)) return;
  await replaceChoice(trx, { ...owned, dialogId: null }, { choice, now });
}

/** The owner of a disconnected account is asked again before a model reads anything. */
export async function endChoicesOfAccount(trx: Db, owned: AccountKey, now: Date): Promise<void> {
  await repo.endConsents(trx, owned, { reason: 'disconnected', now });
}

/** The user's choices that hold, by account and by conversation. */
export type ActiveChoices = { ofAccounts: ReadonlyMap<string, WriterChoice>; ofDialogs: ReadonlyMap<string, WriterChoice> };

/** Empty where this server has no model: there nothing depends on them. */
export async function getActiveChoices(
  { db, aiService }: { db: Db; aiService: AiService | undefined },
  { userId }: UserKey,
): Promise<ActiveChoices> {
  const activeChoices = aiService ? await repo.listActiveChoices(db, { userId }) : [];
  const isOfDialog = (choice: WriterChoice): choice is WriterChoice & { dialogId: string } => choice.dialogId !== null;
  return {
    ofAccounts: new Map(activeChoices.filter(choice => !isOfDialog(choice)).map(choice => [choice.accountId, choice])),
    ofDialogs: new Map(activeChoices.filter(isOfDialog).map(choice => [choice.dialogId, choice])),
  };
}

/** The built-in summarizer for an account means that nothing leaves, so it ends the consents of its conversations too. */
async function replaceChoice(trx: Db, scope: ChoiceScope, { choice, now }: { choice: NewChoice; now: Date }): Promise<void> {
  await lockNamed(trx, 'writer', scope.userId, scope.accountId);
  const isOfAccount = scope.dialogId === null;
  if (isOfAccount && choice.writer === 'built-in') await repo.endConsents(trx, scope, { reason: 'taken back', now });
  const activeChoice = await repo.findActiveChoice(trx, scope);
  if (isSameChoice(activeChoice, choice)) return;
  if (activeChoice) await repo.endChoice(trx, scope, { reason: chooseEndReason(activeChoice, choice), now });
  await repo.insertChoice(trx, scope, { choice, now });
}

/** A passage of a conversation. `quotedAt`: when this server took its words from messages; null where a model worded it. */
export type PassageWithConsent = AnswerPassage & { dialogId: string; quotedAt: Date | null };

export type Answering = AiService & {
  /** The numbers of those passages that may be sent right now. */
  listAllowed(about: Sendable): Promise<number[]>;
  /**
   * One model answer from passages with current consent. Without a question, it describes how things stand. Throws
   * ClientError.
   */
  write(request: WriteRequest): Promise<{ sent: number[]; sentences: AnswerSentence[] }>;
  /** The numbers of the greatest news among those passages that may be sent, the greatest first. Throws ClientError. */
  rankAllowedNews(about: Sendable, signal: AbortSignal): Promise<number[]>;
};
type Sendable = { userId: string; passages: readonly PassageWithConsent[] };
type WriteRequest = Sendable & { question: string | undefined };

type Models = { db: Db; ai: Summarizer | undefined; aiService: AiService | undefined };

/** Creates the only way by which passages reach a model; undefined where no model is configured. */
export function createAnswering({ db, ai, aiService }: Models): Answering | undefined {
  if (!ai?.answerFrom || !ai.rankNews || !aiService) return undefined;
  const { answerFrom, rankNews } = ai;
  const listAllowed: Answering['listAllowed'] = async about => (await allowedOf(about, 'answers')).map(({ n }) => n);
  const allowedOf = async ({ userId, passages }: Sendable, use: 'answers' | 'comparison'): Promise<AnswerPassage[]> => {
    const dialogIds = [...new Set(passages.map(({ dialogId }) => dialogId))];
    const contexts = dialogIds.length > 0 ? await repo.listConsentContexts(db, { userId, dialogIds }) : new Map();
    const allowed = passages.filter(passage => {
      const passageContext = contexts.get(passage.dialogId);
      const consent = passageContext && findPassageConsent(passageContext, aiService, use);
      return consent !== undefined && mayBeSent(passage, consent);
    });
    return allowed.map(({ dialogId, quotedAt, ...passage }) => passage);
  };
  return {
    ...aiService,
    listAllowed,
    async write({ userId, question, passages }) {
      const allowed = await allowedOf({ userId, passages }, 'answers');
      const sentences = allowed.length > 0 ? await answerFrom({ question, passages: allowed }) : [];
      return { sent: allowed.map(({ n }) => n), sentences };
    },
    async rankAllowedNews(about, signal) {
      const allowed = await allowedOf(about, 'comparison');
      return allowed.length > 1 ? rankNews(allowed, signal) : [];
    },
  };
}
