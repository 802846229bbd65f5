import { readablePhone } from '../../../lib/phone.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { contactName } from '../comparison/contactName.ts';
import type { Evidence, EvidenceField } from '../comparison/schema.ts';
import type { MatchState } from '../matching/schema.ts';

/** One line of the table that compares the person in the messenger with the one in the CRM. */
export type CompareRow = {
  label: string;
  ours: string;
  oursMissing: string;
  theirs: string;
  sign: { icon: string; tone: string; words: string } | undefined;
};

const LABELS: Record<EvidenceField, string> = {
  messengerId: 'Telegram id',
  name: 'Name',
  phone: 'Phone',
  username: 'Username',
  company: 'Company',
  email: 'Email',
};
const ORDER: EvidenceField[] = ['name', 'phone', 'username', 'company', 'email', 'messengerId'];

const SIGNS: Record<Evidence['verdict'], { icon: string; tone: string }> = {
  same: { icon: 'okc', tone: 'is-ok' },
  similar: { icon: 'guess', tone: 'is-warn' },
  differs: { icon: 'warn', tone: 'is-alert' },
  unknown: { icon: 'skip', tone: 'is-mute' },
};

/** What a rule found, completed by what else is known of both sides. Empty if nothing is known about the contact. */
export function compareRows(dialog: Dialog, state: MatchState): CompareRow[] {
  const { contact } = state;
  if (!contact) return [];
  const known = new Map(state.evidence.map(evidence => [evidence.field, evidence]));
  const both: Record<EvidenceField, [ours: string, theirs: string]> = {
    name: [dialog.peerName, contactName(contact)],
    phone: [dialog.peerPhone, contact.phone || contact.mobilePhone],
    username: [dialog.peerUsername, contact.messengerUsername],
    company: ['', contact.company],
    email: ['', contact.email],
    messengerId: ['', ''],
  };
  return ORDER.flatMap(field => {
    const evidence = known.get(field);
    if (field === 'messengerId' && !evidence) return [];
    const [ours, theirs] = evidence ? [evidence.ours, evidence.theirs] : both[field];
    return [toRow(field, ours, theirs, evidence)];
  });
}

function toRow(field: EvidenceField, ours: string, theirs: string, evidence: Evidence | undefined): CompareRow {
  return {
    label: LABELS[field],
    ours: readable(field, ours),
    oursMissing: field === 'phone' ? 'hidden' : '–',
    theirs: readable(field, theirs),
    sign: evidence?.words ? { ...SIGNS[evidence.verdict], words: evidence.words } : undefined,
  };
}

function readable(field: EvidenceField, value: string): string {
  if (value === '') return '';
  if (field === 'username') return `@${value.replace(/^(?:https?:\/\/)?(?:t\.me\/)?@?/i, '')}`;
  if (field === 'phone') return readablePhone(value);
  return value;
}
