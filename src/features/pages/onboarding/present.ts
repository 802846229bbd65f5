import { formatQuantity, isolateDirection } from '../../../lib/words.ts';
import { CRM_NAME, PERMISSION_WORDS } from '../../crm/present.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import type { ActiveChoices } from '../../messenger/consent/service.ts';
import { accountName, presentDialog } from '../../messenger/present.ts';
import { STEPS, type Start, type Step } from './service.ts';

const TITLES: Record<Step, string> = {
  messenger: 'First, your Telegram',
  crm: 'Now your CRM',
  time: 'Finally, choose a time',
};
const LEFT: Record<Step, string> = {
  messenger: 'about three minutes left',
  crm: 'about two minutes left',
  time: 'a few seconds left',
};

const MAX_GROUPS = 10;

/** The switches of the groups, each read only once it is turned on, and written here until its own page says otherwise. */
export function presentGroups(
  { groups, config }: Start,
  about: { now: Date; aiService: AiService | undefined; choices: ActiveChoices },
) {
  const newest = groups.length > MAX_GROUPS ? ' These are the newest.' : '';
  const words = `${formatQuantity(groups.length, 'group', 'groups')} had messages in the last two weeks.${newest}`;
  const rows = groups.slice(0, MAX_GROUPS).map(one => presentDialog(one, { ...about, config, links: new Map() }));
  return { words, rows };
}

/** The three steps as the page prints them: a line of proof for each that is done, a line on each still to come. */
export function presentStart(start: Start) {
  const { step } = start;
  const at = STEPS.indexOf(step);
  const stateOf = (id: Step, n: number) => {
    if (n >= at) return n === at ? 'now' : 'todo';
    // `later`: passed without being done.
    return id === 'crm' && start.connection.status !== 'active' ? 'later' : 'done';
  };
  const words: Record<Step, string> = {
    messenger: messengerWords(start),
    crm: at > 1 ? crmWords(start) : `Connect ${CRM_NAME}, so that each digest becomes a note on the right contact.`,
    time: 'Choose when it should be ready. The first one is written right away.',
  };
  const titles: Record<Step, string> = {
    messenger: 'Connect Telegram',
    crm: 'Connect your CRM',
    time: 'Get your first digest',
  };
  return {
    step,
    title: TITLES[step],
    progress: `Step ${at + 1} of ${STEPS.length}, ${LEFT[step]}`,
    done: at,
    total: STEPS.length,
    lines: STEPS.map((id, n) => ({ id, number: n + 1, title: titles[id], state: stateOf(id, n), words: words[id] })),
    crmName: CRM_NAME,
    permission: PERMISSION_WORDS,
    canConnectCrm: start.hasCrm && start.connection.status !== 'active',
    hasExpired: start.connection.status === 'expired',
    sureMatchesWrite: start.connection.sureMatchesWrite,
  };
}

function messengerWords({ account, conversations }: Start): string {
  if (!account) return '';
  const found = conversations > 0 ? `, ${formatQuantity(conversations, 'conversation', 'conversations')} found` : '';
  return `Done. ${accountName(account)}${found}.`;
}

function crmWords({ connection, hasCrm }: Start): string {
  if (!hasCrm) return 'This server has no CRM set up. Digests stay here.';
  if (connection.status !== 'active') return 'Skipped for now. Digests stay here until then.';
  const who = [CRM_NAME, isolateDirection(connection.portalName)].filter(Boolean).join(', ');
  const writes = connection.sureMatchesWrite
    ? 'Notes are added automatically for confident matches.'
    : 'You’re asked before anything is written.';
  return `Done. ${who}. ${writes}`;
}
