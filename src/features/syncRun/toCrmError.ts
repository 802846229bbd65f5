import { ClientError } from '../../clients/errors.ts';
import { formatCount } from '../../lib/words.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { codeOf } from '../notes/collectFailures.ts';
import type { NoteTrouble } from '../notes/schema.ts';
import type { SyncError } from '../sync/schema.ts';

type Stage = Extract<SyncError['stage'], 'match' | 'crm'>;
type Code = NoteTrouble['code'];
export type CrmTrouble = { stage: Stage; code: Code; dialogIds: string[] };

/** Trouble with the CRM, told once for each kind however many conversations it concerns. */
export function crmTroubles() {
  const kinds = new Map<string, CrmTrouble>();
  const addCode = (stage: Stage, code: Code, dialogIds: readonly string[]) => {
    const known = kinds.get(`${stage} ${code}`) ?? { stage, code, dialogIds: [] };
    kinds.set(`${stage} ${code}`, { stage, code, dialogIds: [...new Set([...known.dialogIds, ...dialogIds])] });
  };
  const add = (stage: Stage, err: unknown, dialogIds: readonly string[] = []) =>
    addCode(stage, err instanceof ClientError ? codeOf(err) : 'CRM_UNAVAILABLE', dialogIds);
  return {
    addCode,
    add,
    addAll(stage: Stage, failed: readonly { dialogId: string; error: ClientError }[]) {
      for (const { dialogId, error } of failed) add(stage, error, [dialogId]);
    },
    list: () => [...kinds.values()],
  };
}

const LATER = { match: 'People are looked up at the next sync.', crm: 'The notes are written later.' };

const SENTENCES: Record<Code, (stage: Stage, count: number) => string> = {
  CRM_AUTH: () => 'The CRM needs you to sign in again. The notes are written then.',
  CRM_RATE_LIMIT: stage => `The CRM asks us to wait. ${LATER[stage]}`,
  CRM_UNAVAILABLE: stage => `The CRM could not be reached. ${LATER[stage]}`,
  TIMEOUT: stage => `The CRM did not answer in time. ${LATER[stage]}`,
  CRM_CONTACT_GONE: (_stage, count) =>
    count > 1 ? `${formatCount(count)} contacts are no longer in the CRM.` : 'The contact is no longer in the CRM.',
  CRM_REFUSED: (stage, count) => refusedWords(stage, count),
};

function refusedWords(stage: Stage, count: number): string {
  if (stage === 'match') return 'The CRM refused to look people up.';
  return count > 1
    ? `The CRM refused what we wrote about ${formatCount(count)} people.`
    : 'The CRM refused what we wrote.';
}

const RETRYABLE: readonly Code[] = ['CRM_RATE_LIMIT', 'CRM_UNAVAILABLE', 'TIMEOUT'];

export function toCrmError({ stage, code, dialogIds }: CrmTrouble, dialog?: Dialog): SyncError {
  return {
    dialogId: dialog?.id ?? null,
    peerName: dialog?.peerName ?? null,
    stage,
    code,
    message: SENTENCES[code](stage, dialogIds.length),
    retryable: RETRYABLE.includes(code),
  };
}
