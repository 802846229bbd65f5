import { FAILURES } from '../../../lib/failures.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { dropPeriod, isolateDirection, numberWord } from '../../../lib/words.ts';
import { contactName } from '../../contacts/matching/compareWithContact.ts';
import { confidenceWord, matchBadge } from '../../contacts/matching/present.ts';
import { findNamesakes, needsReview, toLink, type WriteSwitches, writesNotes } from '../../contacts/matching/rules.ts';
import type { Evidence, EvidenceField, MatchedDialog, MatchState } from '../../contacts/matching/schema.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import type { Review, ReviewDeps } from './service.ts';

/** A case for review, with all its texts. */
export function describeCase(
  { dialog, state }: MatchedDialog,
  { connection, hasCrm, rejection, crm }: Pick<Review, 'connection' | 'hasCrm' | 'rejection'> & ReviewDeps,
) {
  const { peerType, peerUsername, peerPhone } = dialog;
  const isLinked = dialog.crmContactId !== '' && dialog.matchStatus !== 'IGNORED';
  const contact = isLinked ? state.contact : null;
  const namesakes = namesakeLine(dialog, state);
  const canConfirm = isLinked && state.problem !== 'CONTACT_GONE' && dialog.matchStatus.startsWith('AUTO_');
  // Whether the CRM can be asked now.
  const isConnected = hasCrm && connection.status === 'active';
  const suggestions = isConnected ? suggestionsOf(state, dialog.crmContactId) : [];
  const { portalId } = connection;
  const hasRecord = isLinked && portalId && state.problem !== 'CONTACT_GONE';
  const openHeading = namesakes ? 'Which one?' : 'Suggestions from the CRM';
  const actions = actionsOf(dialog, { canConfirm, isLinked, hasOthers: suggestions.length > 0, rejection });
  return {
    id: dialog.id,
    name: dialogName(dialog),
    handles: [
      peerType !== 'user' && 'Group',
      peerUsername && `@${peerUsername}`,
      peerPhone && formatPhone(peerPhone),
    ].filter(Boolean),
    badge: matchBadge(state),
    question: isLinked ? questionOf(dialog, state, connection) : undefined,
    namesakes,
    contactId: isLinked ? dialog.crmContactId : '',
    recordUrl: hasRecord ? crm?.contactUrl({ portalId, contactId: dialog.crmContactId }) : undefined,
    problem: isLinked ? problemOf(state) : undefined,
    rows: contact ? compareRows(dialog, state) : [],
    confidence: isLinked ? confidenceOf(dialog, state) : undefined,
    note: describeNoteHandling(dialog, connection),
    canConfirm,
    canReject: isLinked,
    actions,
    // Placed beside the first action on phones.
    lastAction: actions.findLast(({ id }) => id !== 'confirm'),
    canSearch: isConnected,
    suggestions,
    offered: suggestions.map(({ id }) => id).join(' '),
    heading: isLinked ? 'Or another contact' : openHeading,
  };
}

/** `Two contacts are called Claire Whitfield.`; '' where one or none is. */
function namesakeLine(dialog: Dialog, state: MatchState): string {
  const namesakes = findNamesakes(state);
  if (namesakes.length === 0) return '';
  const [first, ...others] = new Set(namesakes.map(({ contact }) => contactName(contact)));
  const count = numberWord(namesakes.length);
  if (first === undefined || others.length > 0) return `${count} contacts may be ${isolateDirection(dialogName(dialog))}.`;
  return `${count} contacts are called ${isolateDirection(first)}.`;
}

type Possible = { canConfirm: boolean; isLinked: boolean; hasOthers: boolean; rejection: string | undefined };

/** One-click decisions in button order. */
function actionsOf({ matchStatus }: Dialog, { canConfirm, isLinked, hasOthers, rejection }: Possible) {
  const isIgnored = matchStatus === 'IGNORED';
  const path = rejection && `/contacts/undo/${rejection}`;
  const actions = [
    path && { id: 'undo', path, icon: 'undo', label: 'Suggest again', key: '' },
    canConfirm && { id: 'confirm', icon: 'check', label: 'Confirm', key: 'y' },
    isLinked && { id: 'reject', icon: 'x', label: 'Not this contact', key: '' },
    !isLinked && hasOthers && !isIgnored && { id: 'none', icon: 'x', label: 'None of these', key: '' },
    isIgnored
      ? { id: 'stop-ignoring', icon: 'undo', label: 'Stop ignoring', key: '' }
      : { id: 'ignore', icon: 'ban', label: 'Ignore', key: 'i' },
  ];
  return actions.filter(action => typeof action === 'object');
}

/** `Is this Irina Sokolova at Meridian Clinics?` while the match is open, else whom it is linked to. */
function questionOf(dialog: Dialog, state: MatchState, switches: WriteSwitches) {
  const isOpen = needsReview(toLink(dialog), switches);
  return {
    lead: isOpen ? 'Is this' : 'Linked to',
    who: dialog.crmContactName ?? (state.contact && contactName(state.contact)) ?? `contact ${dialog.crmContactId}`,
    company: state.contact?.company ?? '',
    tail: isOpen ? '?' : '',
  };
}

function problemOf({ problem }: MatchState) {
  if (problem === 'CONTACT_GONE') {
    return {
      tone: 'alert',
      title: dropPeriod(FAILURES.CRM_CONTACT_GONE.says),
      text: 'Notes can’t be added to it. Pick someone else, create a contact, or ignore the conversation.',
    };
  }
  if (problem === 'CONTACT_MERGED') {
    return {
      tone: 'ok',
      icon: 'info',
      title: 'This contact was merged into another one in the CRM',
      text: 'Notes now go to the merged contact.',
    };
  }
  return undefined;
}

function confidenceOf({ matchConfidence, matchStatus }: Dialog, { runnerUp }: MatchState) {
  if (!matchStatus.startsWith('AUTO_')) return undefined;
  return {
    value: matchConfidence,
    word: confidenceWord(matchConfidence),
    number: matchConfidence.toFixed(2),
    nextBest: runnerUp ? `Next best: ${isolateDirection(runnerUp.name)}, ${runnerUp.score.toFixed(2)}` : '',
  };
}

/** Says that notes are written, or never will be; '' if that is not decided. */
function describeNoteHandling(dialog: Dialog, switches: WriteSwitches): string {
  if (dialog.matchStatus === 'IGNORED') return 'Ignored: this conversation is never sent to the CRM.';
  if (writesNotes(toLink(dialog), switches)) {
    return dialog.matchStatus.startsWith('AUTO_')
      ? 'Confident match: notes are added automatically.'
      : 'Notes are written here.';
  }
  return '';
}

function suggestionsOf({ suggestions, rejected }: MatchState, linkedId: string) {
  const open = suggestions.filter(({ contact }) => contact.id !== linkedId && !rejected.includes(contact.id));
  return open
    .slice(0, 5)
    .map(({ contact, evidence }) => ({ ...presentCandidate(contact), why: describeEvidence(evidence) }));
}

/** `Short form of the name, same number as dialed in +49`. '' if nothing speaks for it. */
function describeEvidence(evidence: readonly Evidence[]): string {
  const speaking = evidence.filter(({ verdict, words }) => words !== '' && (verdict === 'same' || verdict === 'similar'));
  const [first = '', ...others] = speaking.map(({ words }) => words);
  return [first, ...others.map(words => words.charAt(0).toLowerCase() + words.slice(1))].join(', ');
}

export function presentCandidate(contact: Parameters<typeof contactName>[0] & { id: string }) {
  return {
    id: contact.id,
    name: contactName(contact),
    company: contact.company,
    // Without a name, the email address already serves as one.
    email: contact.email === contactName(contact) ? '' : contact.email,
  };
}

/** The list beside the case. */
export function presentQueue({ queue, current, view }: Review) {
  return queue.map(({ dialog, state }) => ({
    id: dialog.id,
    name: dialogName(dialog),
    about: describeLink(dialog, state),
    badge: matchBadge(state),
    isGone: state.problem === 'CONTACT_GONE',
    href: `/contacts?view=${view}&id=${dialog.id}`,
    isCurrent: dialog.id === current?.dialog.id,
  }));
}

function describeLink(dialog: Dialog, state: MatchState): string {
  if (dialog.crmContactId !== '') {
    const who = dialog.crmContactName ?? `Contact ${dialog.crmContactId}`;
    return [who, state.contact?.company].filter(Boolean).join(', ');
  }
  if (dialog.peerType !== 'user') return 'Group';
  if (dialog.matchStatus === 'IGNORED') return '';
  if (dialog.peerName === '') return 'no name in Telegram';
  const { length } = suggestionsOf(state, '');
  if (findNamesakes(state).length > 0) return 'choose one';
  return length === 0 ? 'no suggestion' : `${length} ${length === 1 ? 'suggestion' : 'suggestions'}`;
}

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

/**
 * The table that compares the person in the messenger with the one in the CRM: what a rule found, completed by what else is
 * known of both sides. Empty if nothing is known about the contact.
 */
export function compareRows(dialog: Dialog, state: MatchState) {
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
    const row = {
      label: LABELS[field],
      ours: readable(field, ours),
      oursMissing: field === 'phone' ? 'hidden' : '–',
      theirs: readable(field, theirs),
      sign: evidence?.words ? { ...SIGNS[evidence.verdict], words: evidence.words } : undefined,
    };
    return [row];
  });
}

function readable(field: EvidenceField, value: string): string {
  if (value === '') return '';
  if (field === 'username') return `@${value.replace(/^(?:https?:\/\/)?(?:t\.me\/)?@?/i, '')}`;
  if (field === 'phone') return formatPhone(value);
  return value;
}
