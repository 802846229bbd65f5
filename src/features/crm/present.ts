import type { CrmObject } from '../../clients/crm/types.ts';
import { ADMIN_FAILURES, describeFailure, FAILURES } from '../../lib/failures.ts';
import {
  dropPeriod,
  formatDayInSentence,
  formatQuantity,
  formatSince,
  isolateDirection,
  joinList,
} from '../../lib/words.ts';
import { unfilledRequirements } from './rules.ts';
import type { CrmConnection, Requirement, Switches } from './schema.ts';

export const CRM_NAME = 'HubSpot';

const { says: ASSOCIATION_SAYS, advice: ASSOCIATION_ADVICE } = FAILURES.CRM_ASSOCIATION_REFUSED;
const ASSOCIATION_REFUSED = `${ASSOCIATION_SAYS} Notes and tasks wait. ${ASSOCIATION_ADVICE}`;

type Badge = { tone: 'is-ok' | 'is-warn' | 'is-mute'; icon: string; word: string };
type Switch = { name: keyof Switches; label: string; hint: string; on: boolean };

type CrmContext = {
  now: Date;
  timezone: string;
  isConfigured: boolean;
  /** The operator set a key of one account, in place of an app that people sign in to. */
  hasKey: boolean;
  /** Notes that can't be written for now. */
  waiting: number;
  /** When a note was last written; null before the first. */
  lastNoteAt: Date | null;
  /** The account does not let the person edit associations. */
  isAssociationRefused: boolean;
  /** Page on which the account's administrator requires properties. */
  propertySettingsUrl(type: CrmObject): string;
  attempt?: RequirementAttempt | undefined;
  saved?: string;
};

/** The CRM on the settings page: required properties, reasons for refusals, last change. */
export function presentConnection(connection: CrmConnection, context: CrmContext) {
  const { status, portalName, portalId } = connection;
  const account = portalName || (portalId && `account ${portalId}`);
  const isKept = status !== 'disconnected';
  return {
    title: 'CRM',
    who: isKept && account ? `${CRM_NAME}, ${account}` : CRM_NAME,
    badge: connectionBadge(connection, context),
    detail: detailOf(connection, context),
    connect: connectOf(connection, context),
    disconnect: isKept ? { label: status === 'expired' ? 'Remove' : 'Disconnect' } : undefined,
    required: (isKept ? connection.requirements : []).map(requirement => presentRequirement(requirement, context)),
    refusal: isKept && context.isAssociationRefused ? ASSOCIATION_REFUSED : '',
    switches: context.isConfigured ? switchesOf(connection) : [],
    saved: context.saved ?? '',
  };
}

function connectionBadge(connection: CrmConnection, { isConfigured, hasKey, isAssociationRefused }: CrmContext): Badge {
  const { status, propertiesReady, requirements } = connection;
  if (!isConfigured) return { tone: 'is-mute', icon: 'nolink', word: 'Not available' };
  if (status === 'disconnected') return { tone: 'is-mute', icon: 'nolink', word: 'Not connected' };
  if (status === 'expired') return { tone: 'is-warn', icon: 'warn', word: hasKey ? 'Key refused' : 'Sign in again' };
  if (!propertiesReady) return { tone: 'is-warn', icon: 'clock', word: 'Not ready' };
  if (isAssociationRefused || unfilledRequirements(requirements).length > 0)
    return { tone: 'is-warn', icon: 'warn', word: 'Waiting' };
  return { tone: 'is-ok', icon: 'okc', word: 'Working' };
}

function detailOf(connection: CrmConnection, context: CrmContext): string {
  const { status, propertiesReady, connectedAt } = connection;
  const { waiting } = context;
  if (!context.isConfigured) return 'This server has no CRM set up. Digests stay here.';
  if (status === 'expired' && context.hasKey) return KEY_REFUSED;
  if (status === 'expired') return `${FAILURES.CRM_AUTH.says} ${afterSignIn(waiting)}`;
  if (status === 'disconnected') return beforeConnecting(connection.sureMatchesWrite);
  const byKey = context.hasKey ? ' by the key of this installation' : '';
  const since = connectedAt ? `Connected${byKey} since ${formatDayInSentence(connectedAt, context)}.` : '';
  if (!propertiesReady) {
    return `${since} The CRM hasn’t created our contact properties yet. The next sync tries again.`.trim();
  }
  const used = context.lastNoteAt ? ` Last note written ${formatSince(context.lastNoteAt, context)}.` : '';
  const waits = waiting > 0 ? ` ${formatQuantity(waiting, 'note waits', 'notes wait')} for the next sync.` : '';
  return `${since}${used}${waits}`.trim();
}

const NEW_KEY = 'Notes and tasks wait. Put a good one in CRM_ACCESS_TOKEN, restart, and connect again.';
const KEY_REFUSED = `The key of this installation isn’t the one it was connected with, or the CRM no longer accepts it. ${NEW_KEY}`;

const CONNECT = '/api/crm/connect';

/** A connection that the CRM no longer accepts, for the pages that need it: what waits, and how to connect again. */
export function describeExpired({ hasKey, waiting }: Pick<CrmContext, 'hasKey' | 'waiting'>) {
  return hasKey
    ? {
        title: 'The CRM no longer accepts this installation’s key',
        text: NEW_KEY,
        link: { href: CONNECT, label: 'Connect again', primary: true } as const,
      }
    : {
        title: dropPeriod(FAILURES.CRM_AUTH.says),
        text: afterSignIn(waiting),
        link: { href: CONNECT, label: 'Sign in to the CRM', primary: true } as const,
      };
}

/** Says how many notes wait until the user signs in to the CRM again. */
function afterSignIn(waiting: number): string {
  if (waiting === 0) return FAILURES.CRM_AUTH.advice;
  return `${formatQuantity(waiting, 'note', 'notes')} will be added once you’re signed in.`;
}

/** Explains why the vendor's consent page speaks of deleting. */
export const PERMISSION_WORDS = `${CRM_NAME} has one permission for creating, changing and deleting contacts, so its page names all three. Forenoon needs it to add notes and tasks. It never deletes a contact, only its own notes and tasks.`;

/** Says, before an account is connected, what will be written to it and when. */
export function beforeConnecting(sureMatchesWrite: boolean): string {
  const first = sureMatchesWrite
    ? 'Once connected, confident matches get notes automatically: when a contact has the same phone number or username as a conversation, each digest is added to that contact as a note. Turn it off to be asked first.'
    : 'Once connected, nothing is added to a contact until you confirm that it’s the right one.';
  return `${first} ${PERMISSION_WORDS}`;
}

const ASKED_FIRST = 'Off: you confirm each match before its notes are written.';

function switchesOf(connection: CrmConnection): Switch[] {
  const switches: [name: keyof Switches, label: string, hint: string][] = [
    [
      'sureMatchesWrite',
      'Add notes automatically for confident matches',
      `Same phone number or same username. ${ASKED_FIRST}`,
    ],
    ['nameMatchesWrite', 'Add notes automatically for name matches', `Two people can have the same name. ${ASKED_FIRST}`],
    ['tasksWrite', `${CRM_NAME} tasks`, `${connection.tasksWrite ? TASKS_ON : TASKS_OFF} ${TASKS_BOTH_WAYS}`],
    ['tasksQuote', 'Use people’s own words in CRM tasks', QUOTES_HINT],
  ];
  const shown = connection.status === 'disconnected' ? switches.slice(0, 1) : switches;
  return shown.map(([name, label, hint]) => ({ name, label, hint, on: connection[name] }));
}

const TASKS_BOTH_WAYS =
  'Done here completes the task there, at the next sync also the other way round. Turned off, existing tasks stay as they are.';
const TASKS_ON = 'Your promises with a due day are tasks on the matched contacts.';
/** The hint while tasks are off: what turning them on will do. */
const TASKS_OFF =
  'On: your own open promises with a due day become tasks on the matched contacts right away, later ones at each sync: the ' +
  'promise’s words (quotes only if you allow them below), its due date, the contact’s name in Telegram and a link back here.';

const QUOTES_HINT =
  'Colleagues can read tasks. On: new tasks may quote what was written in Telegram. Off: those are called “Follow up” with ' +
  'the contact’s name.';

function connectOf({ status }: CrmConnection, { isConfigured, hasKey }: CrmContext) {
  if (!isConfigured || status === 'active') return undefined;
  return { label: status === 'expired' && !hasKey ? 'Sign in to the CRM' : `Connect ${CRM_NAME}` };
}

/** `“Source” for notes and “Region” for tasks`; '' for none. */
export function requiredWords(requirements: readonly Requirement[]): string {
  const byType = Map.groupBy(requirements, ({ type }) => type);
  return joinList([...byType].map(([type, ofType]) => `${joinList(ofType.map(nameWords))} for ${type}`));
}

/** `“Source”` */
const nameWords = ({ label, name }: Pick<Requirement, 'label' | 'name'>): string => `“${isolateDirection(label || name)}”`;

/** Why a note or a task waits, and where to read on. */
export type Hold = { words: string; href: string };

/** Undefined unless an administrator must act. @param required what the account requires of such records */
export function describeHold(failure: string | null, required: readonly Requirement[]): Hold | undefined {
  const adminFailure = ADMIN_FAILURES.find(one => one === failure);
  if (!adminFailure) return undefined;
  return { words: dropPeriod(describeFailure(adminFailure, 1, requiredWords(required)).sentence), href: REQUIREMENTS_HREF };
}

export const REQUIREMENTS_HREF = '/settings#crm';

/** An invalid value that was typed for a required property, with its error. */
export type RequirementAttempt = { type: CrmObject; name: string; value: string; error: string };

/** A property and the field for what to send, as the settings show them. */
function presentRequirement(requirement: Requirement, { propertySettingsUrl, attempt }: CrmContext) {
  const { type, name, value, options, mayFill, isRefused } = requirement;
  const isTried = attempt?.type === type && attempt.name === name;
  const isKnown = options.length === 0 || value === '' || options.some(option => option.value === value);
  return {
    type,
    name,
    mayFill,
    isRefused,
    isFilled: value !== '',
    id: `required-${type}-${name}`,
    title: `${CRM_NAME} requires ${nameWords(requirement)} for ${type}`,
    hint: hintOf(requirement),
    value: isTried ? attempt.value : value,
    options: isKnown ? options : [...options, { label: value, value }],
    error: isTried ? attempt.error : undefined,
    href: propertySettingsUrl(type),
  };
}

function hintOf({ type, mayFill, value, isRefused, isConditional }: Requirement): string {
  if (!mayFill) {
    return `One value can’t serve for all ${type}. Fill it in where you create one, or make it optional in ${CRM_NAME}.`;
  }
  if (isRefused)
    return `${CRM_NAME} didn’t accept this value. Choose another one, or remove it if ${CRM_NAME} no longer asks for it.`;
  if (value !== '') return `Sent with all new ${type}.`;
  const some = isConditional ? `some ${type}` : `new ${type}`;
  return `Until you say what to send, ${some} wait. Or make it optional in ${CRM_NAME}.`;
}
