import { z } from 'zod';
import { type CrmContact, crmContact } from '../../../clients/crm/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { type Dialog, MATCH_STATUSES, type MatchStatus } from '../../messenger/dialogs/schema.ts';

/** The other side of a conversation, as the messenger describes it. */
export type Person = {
  dialogId: string;
  messengerUserId: string;
  /** As written by the person or the address book: may hold a company, emoji, brackets. */
  name: string;
  /** Without the @; '' if there is none. */
  username: string;
  /** E.164, or '' when hidden (the normal case). */
  phone: string;
  /** The calling code of the user's account: numbers without one are read as dialed there. '' when unknown. */
  callingCode: string;
};

const evidenceField = z.enum(['messengerId', 'name', 'phone', 'username', 'company', 'email']);
export type EvidenceField = z.output<typeof evidenceField>;

/** The result of comparing one field. `unknown`: one side has nothing to compare. */
const evidence = z.object({
  field: evidenceField,
  verdict: z.enum(['same', 'similar', 'differs', 'unknown']),
  /** A few words for the table, such as "Same name, different alphabet". */
  words: z.string(),
  /** Of the field `name`: whether it is the whole name, in any order, spelling or alphabet. */
  isSameName: z.boolean().optional(),
  ours: z.string(),
  theirs: z.string(),
});
export type Evidence = z.output<typeof evidence>;

/** `score`: 0..1. */
const suggestion = z.object({ contact: crmContact, score: z.number(), evidence: z.array(evidence) });
export type Suggestion = z.output<typeof suggestion>;

/** Automatic rule that matched; `person` and `created` are no rules. */
const matchRule = z.enum(['messengerId', 'phone', 'username', 'name', 'person', 'created']);
export type MatchRule = z.output<typeof matchRule>;

/** Changes of a linked contact since linking. */
const matchProblem = z.enum(['CONTACT_GONE', 'CONTACT_MERGED']).nullable();
export type MatchProblem = NonNullable<z.output<typeof matchProblem>>;

const link = z.object({
  status: z.enum(MATCH_STATUSES),
  /** 0..1 in hundredths. */
  confidence: z.coerce.number<number>(),
  /** '' without a link. */
  contactId: z.string(),
  contactName: z.string().nullable(),
});
export type Link = z.output<typeof link>;

/** Why the link is as it is. If it was never evaluated: decided by rule, nothing known. */
const reasons = z.object({
  rule: matchRule.nullable(),
  decidedBy: z.enum(['rule', 'person']),
  evidence: z.array(evidence),
  /** The linked contact as it was last seen. */
  contact: crmContact.nullable(),
  runnerUp: z.object({ contactId: z.string(), name: z.string(), score: z.number() }).nullable(),
  suggestions: z.array(suggestion),
  problem: matchProblem,
});
export type MatchReasons = z.output<typeof reasons>;

export type MatchVerdict = {
  status: Extract<MatchStatus, 'UNMATCHED' | 'AUTO_PHONE' | 'AUTO_USERNAME' | 'AUTO_NAME'>;
  /** 0..1 in hundredths; 0 for UNMATCHED. */
  confidence: number;
  rule: MatchRule | null;
  contact: CrmContact | null;
  evidence: Evidence[];
  runnerUp: MatchReasons['runnerUp'];
  /** At most five other candidates, best first. Matches by nickname appear only here. */
  suggestions: Suggestion[];
};

/** Everything a decision changes, as it was before: undo restores it. */
const snapshot = z.object({
  ...link.shape,
  ...reasons.shape,
  /** Contacts that a person rejected. */
  rejected: z.array(z.string()),
});
export type Snapshot = z.output<typeof snapshot>;

/** The columns of `dialogs`, and what each is called here. */
const COLUMNS = {
  match_status: 'status',
  match_confidence: 'confidence',
  crm_contact_id: 'contactId',
  crm_contact_name: 'contactName',
  match_rule: 'rule',
  match_decided_by: 'decidedBy',
  match_evidence: 'evidence',
  match_contact: 'contact',
  match_runner_up: 'runnerUp',
  match_suggestions: 'suggestions',
  match_problem: 'problem',
  match_evaluated_at: 'evaluatedAt',
};

/** `evaluatedAt`: null before the first look. */
const matchState = z.object({ ...snapshot.shape, dialogId: z.string(), evaluatedAt: z.date().nullable() });
export const matchStateRow = rowReader(matchState, COLUMNS);
export type MatchState = z.output<typeof matchState>;

/** A conversation's link in short, for other pages; `company` is the linked contact's, or ''. `namesakes`: contacts of its name. */
const linkedDialog = z
  .object({ ...link.shape, ...reasons.pick({ evidence: true, problem: true }).shape })
  .extend({ dialogId: z.string(), peerType: z.string(), company: z.string(), namesakes: z.number() })
  .transform(({ peerType, ...row }) => ({ ...row, isPerson: peerType === 'user' }));
export const linkedDialogRow = rowReader(linkedDialog, COLUMNS);
export type LinkedDialog = z.output<typeof linkedDialog>;

const DECISIONS = ['confirm', 'ignore', 'stopIgnoring', 'reject', 'pick', 'create', 'autoCreate'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

const decision = z.object({
  id: z.string(),
  dialogId: z.string(),
  action: z.enum(DECISIONS),
  batchId: z.string().nullable(),
  before: snapshot,
  undoneAt: z.date().nullable(),
});
export const decisionRow = rowReader(decision);
export type Decision = z.output<typeof decision>;

/** A conversation with its match. */
export type MatchedDialog = { dialog: Dialog; state: MatchState };
