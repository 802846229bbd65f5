import type { AnswerPassage, AnswerSentence } from '../../../clients/summarizer/answering/types.ts';
import type { Summarizer } from '../../../clients/summarizer/types.ts';
import type { Db } from '../../../lib/db.ts';
import { listStandings } from './repo.ts';
import { answerConsentOf, mayBeSent } from './rules.ts';
import type { AiService } from './schema.ts';

/** A passage of a conversation. `quotedAt`: when this server took its words from messages; null where a model worded it. */
export type OwnPassage = AnswerPassage & { dialogId: string; quotedAt: Date | null };

export type Answering = AiService & {
  /** The numbers of those passages that may be sent right now. */
  listAllowed(about: { userId: string; passages: readonly OwnPassage[] }): Promise<number[]>;
  /**
   * Has the model answer once, and sends only what its person agreed to, as it stands at this moment. Undefined as the
   * question: how things stand. Throws ClientError.
   */
  write(asked: Asked): Promise<{ sent: number[]; sentences: AnswerSentence[] }>;
};
type Asked = { userId: string; question: string | undefined; passages: readonly OwnPassage[] };

type Models = { db: Db; ai: Summarizer | undefined; aiService: AiService | undefined };

/** The one way of passages to a model; undefined where none is configured. */
export function createAnswering({ db, ai, aiService }: Models): Answering | undefined {
  const answerFrom = ai?.answerFrom;
  if (!answerFrom || !aiService) return undefined;
  const allowedOf: Answering['listAllowed'] = async ({ userId, passages }) => {
    const dialogIds = [...new Set(passages.map(({ dialogId }) => dialogId))];
    const standings = dialogIds.length > 0 ? await listStandings(db, { userId, dialogIds }) : new Map();
    return passages
      .filter(passage => {
        const standing = standings.get(passage.dialogId);
        const consent = standing && answerConsentOf(standing, aiService);
        return consent !== undefined && mayBeSent(passage, consent);
      })
      .map(({ n }) => n);
  };
  return {
    ...aiService,
    listAllowed: allowedOf,
    async write({ userId, question, passages }) {
      const sent = await allowedOf({ userId, passages });
      const allowed = passages.filter(({ n }) => sent.includes(n)).map(({ dialogId, quotedAt, ...passage }) => passage);
      return { sent, sentences: allowed.length > 0 ? await answerFrom({ question, passages: allowed }) : [] };
    },
  };
}
