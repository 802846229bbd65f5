import type { CrmContact } from '../../clients/crm/types.ts';
import type { MatchStatus } from '../dialogs/schema.ts';

/** Whom a conversation is with, as far as the messenger tells. */
export type Person = {
  dialogId: string;
  /** The messenger's own id of the person. */
  messengerUserId: string;
  /** As the person, or the user's address book, writes it: may hold a company, emoji, brackets. */
  name: string;
  /** Without the @, or ''. */
  username: string;
  /** E.164, or '' when hidden (the normal case). */
  phone: string;
};

/** Which rule of the automatic matching held; `person` and `created` are no rules. */
export type MatchRule = 'messengerId' | 'phone' | 'username' | 'name' | 'person' | 'created';

export type EvidenceField = 'messengerId' | 'name' | 'phone' | 'username' | 'company' | 'email';

/** What comparing one field said. `unknown`: one side has nothing to compare. */
export type Evidence = {
  field: EvidenceField;
  verdict: 'same' | 'similar' | 'differs' | 'unknown';
  /** A few words for the table, such as "Same name, other alphabet". */
  words: string;
  ours: string;
  theirs: string;
};

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
