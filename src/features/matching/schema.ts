import { z } from 'zod';
import type { CrmContact } from '../../clients/crm/types.ts';
import type { Evidence } from '../comparison/schema.ts';
import { MATCH_STATUSES, type MatchStatus } from '../dialogs/schema.ts';

/** Which rule of the automatic matching held; `person` and `created` are no rules. */
export type MatchRule = 'messengerId' | 'phone' | 'username' | 'name' | 'person' | 'created';

export type Suggestion = { contact: CrmContact /** 0..1 */; score: number; evidence: Evidence[] };

/** What the rules say about one conversation. */
export type MatchVerdict = {
  status: Extract<MatchStatus, 'UNMATCHED' | 'AUTO_PHONE' | 'AUTO_USERNAME' | 'AUTO_NAME'>;
  /** 0..1 in hundredths; 0 for UNMATCHED. */
  confidence: number;
  rule: MatchRule | null;
  contact: CrmContact | null;
  evidence: Evidence[];
  runnerUp: { contactId: string; name: string; score: number } | null;
  /** The best others, at most five, best first; nicknames appear here and nowhere else. */
  suggestions: Suggestion[];
};

/** A linked contact that is not what it was when the link was made. */
export type MatchTrouble = 'CONTACT_GONE' | 'CONTACT_MERGED';

/** What a conversation is linked to, in a few columns of its own row. */
export type Link = {
  status: MatchStatus;
  /** 0..1 in hundredths. */
  confidence: number;
  /** '' without a link. */
  contactId: string;
  contactName: string | null;
};

/** Why the link is as it is. Without evaluation: decided by rule, nothing known. */
export type MatchReasons = {
  rule: MatchRule | null;
  decidedBy: 'rule' | 'person';
  evidence: Evidence[];
  /** The linked contact as it was last seen. */
  contact: CrmContact | null;
  runnerUp: MatchVerdict['runnerUp'];
  suggestions: Suggestion[];
  trouble: MatchTrouble | null;
};

export type MatchState = Link &
  MatchReasons & {
    dialogId: string;
    /** Contacts that a person said are somebody else. */
    rejected: string[];
    /** Null before the first look. */
    evaluatedAt: Date | null;
  };

const crmContact = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  company: z.string(),
  phone: z.string(),
  mobilePhone: z.string(),
  messengerUsername: z.string(),
  messengerUserId: z.string(),
  mergedIds: z.array(z.string()),
});

const evidence = z.object({
  field: z.enum(['messengerId', 'name', 'phone', 'username', 'company', 'email']),
  verdict: z.enum(['same', 'similar', 'differs', 'unknown']),
  words: z.string(),
  ours: z.string(),
  theirs: z.string(),
});

const reasons = {
  rule: z.enum(['messengerId', 'phone', 'username', 'name', 'person', 'created']).nullable(),
  evidence: z.array(evidence),
  contact: crmContact.nullable(),
  suggestions: z.array(z.object({ contact: crmContact, score: z.number(), evidence: z.array(evidence) })),
  trouble: z.enum(['CONTACT_GONE', 'CONTACT_MERGED']).nullable(),
};
const runnerUp = z.object({ contactId: z.string(), name: z.string(), score: z.number() }).nullable();
const decidedBy = z.enum(['rule', 'person']);

export const matchStateRow = z.compile(
  z
    .object({
      dialog_id: z.string(),
      match_status: z.enum(MATCH_STATUSES),
      match_confidence: z.coerce.number(),
      crm_contact_id: z.string(),
      crm_contact_name: z.string().nullable(),
      ...reasons,
      decided_by: decidedBy,
      runner_up: runnerUp,
      rejected: z.array(z.string()),
      evaluated_at: z.date().nullable(),
    })
    .transform(row => ({
      dialogId: row.dialog_id,
      status: row.match_status,
      confidence: row.match_confidence,
      contactId: row.crm_contact_id,
      contactName: row.crm_contact_name,
      rule: row.rule,
      decidedBy: row.decided_by,
      evidence: row.evidence,
      contact: row.contact,
      runnerUp: row.runner_up,
      suggestions: row.suggestions,
      trouble: row.trouble,
      rejected: row.rejected,
      evaluatedAt: row.evaluated_at,
    })),
);

/** A conversation's link in short, for other pages; `company` is that of the linked contact, or ''. */
export const linkedDialogRow = z.compile(
  z
    .object({
      dialog_id: z.string(),
      peer_type: z.string(),
      match_status: z.enum(MATCH_STATUSES),
      match_confidence: z.coerce.number(),
      crm_contact_id: z.string(),
      crm_contact_name: z.string().nullable(),
      company: z.string(),
      evidence: reasons.evidence,
      trouble: reasons.trouble,
    })
    .transform(row => ({
      dialogId: row.dialog_id,
      isPerson: row.peer_type === 'user',
      status: row.match_status,
      confidence: row.match_confidence,
      contactId: row.crm_contact_id,
      contactName: row.crm_contact_name,
      company: row.company,
      evidence: row.evidence,
      trouble: row.trouble,
    })),
);
export type LinkedDialog = z.output<typeof linkedDialogRow>;

/** Everything a decision changes, as it was before: what undo puts back. */
const snapshot = z.object({
  status: z.enum(MATCH_STATUSES),
  confidence: z.number(),
  contactId: z.string(),
  contactName: z.string().nullable(),
  ...reasons,
  decidedBy,
  runnerUp,
  rejected: z.array(z.string()),
});
export type Snapshot = z.output<typeof snapshot>;

export const DECISIONS = ['confirm', 'ignore', 'stopIgnoring', 'reject', 'pick', 'create', 'autoCreate'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export const decisionRow = z
  .object({
    id: z.string(),
    dialog_id: z.string(),
    action: z.enum(DECISIONS),
    batch_id: z.string().nullable(),
    before: snapshot,
    undone_at: z.date().nullable(),
  })
  .transform(row => ({
    id: row.id,
    dialogId: row.dialog_id,
    action: row.action,
    batchId: row.batch_id,
    before: row.before,
    undoneAt: row.undone_at,
  }));
export type Decision = z.output<typeof decisionRow>;
