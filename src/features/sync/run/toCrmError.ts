import type { CrmObject } from '../../../clients/crm/types.ts';
import { type CrmFailure, describeFailure } from '../../../lib/failures.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import type { SyncError } from '../schema.ts';

/** What failed in the CRM, reported once, however many conversations it concerns. */
export type SyncFailure = { stage: Extract<SyncError['stage'], 'match' | 'crm'>; failure: CrmFailure; of?: CrmObject };

const LATER = { match: 'Contacts are looked up at the next sync.', crm: 'The notes are written later.' };

export function toCrmError(
  { stage, failure, dialogIds, what = '' }: Omit<SyncFailure, 'of'> & { dialogIds: string[]; what?: string },
  dialog?: Dialog,
): SyncError {
  const { sentence, advice, code, mayPass } = describeFailure(failure, dialogIds.length, what);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  const message = `${sentence} ${mayPass ? LATER[stage] : advice}`.trim();
  return { ...about, stage, code, message, retryable: mayPass };
}
