import { localDay } from '../../lib/timezones.ts';
import { formatCount, formatQuantity, formatShortDay, formatSince, joinList } from '../../lib/words.ts';
import type { Apps, ConsentForm, NamedConsent } from './schema.ts';
import { sumUses, usesOfLastDay } from './tokens/rules.ts';
import { LIFETIMES, type Lifetime, MAX_NAME_LENGTH, SCOPES, type Token, type TokenScope } from './tokens/schema.ts';
import type { CreatedToken } from './tokens/service.ts';

/**
 * Consent text as shown and stored with the answer.
 * @param name the assistant's name
 */
function detailsFor(name: string): { term: string; words: string }[] {
  return [
    {
      term: 'What leaves this server',
      words:
        `What ${name} asks for: digests, promises and questions that wait, with the names of people and groups and who ` +
        'belongs to one company, also from before today. What was written on this server is people’s own words. It goes to whoever runs ' +
        `${name} and to the AI model behind it, and their terms decide what they keep.`,
    },
    { term: 'What stays', words: 'Messages, phone numbers, files, other CRM data and your Telegram session.' },
    {
      term: 'Good to know',
      words:
        'The others in these conversations haven’t been asked, so tell them first. Messages can contain instructions ' +
        `meant to mislead ${name}: they are marked as other people’s words.`,
    },
  ];
}

const PRIVATE = 'All private conversations';

/** The consent to store, in the words of the page. @param group the group's name; undefined for private conversations */
export function wordingOf(name: string, group: string | undefined): string {
  const about = group === undefined ? `${PRIVATE}.` : `The group “${group}”.`;
  return [questionFor(name), about, ...detailsFor(name).map(({ term, words }) => `${term}: ${words}`)].join('\n');
}

const questionFor = (name: string): string => `What may ${name} read?`;

/** The page on which a person says what an assistant may read. */
export function presentConsentForm({ token, agreed, groups }: ConsentForm) {
  return {
    title: questionFor(token.name),
    action: `/settings/apps/tokens/${token.id}/reading`,
    facts: detailsFor(token.name),
    isPrivate: agreed.isPrivate,
    groups: groups.map(({ id, name }) => ({ id, name, isChecked: agreed.groups.includes(id) })),
  };
}

/** A consent as listed on the privacy page. */
export function presentConsent(consent: NamedConsent, context: { now: Date; timezone: string }) {
  const { assistant, dialogId, dialogName, wording, agreedAt, endedAt, tokenId } = consent;
  return {
    title: `${assistant} may read`,
    about: dialogId === null ? PRIVATE : dialogName || 'A group',
    wording: wording.split('\n'),
    when: `Agreed ${formatSince(agreedAt, context)}`,
    ended: endedAt ? `Ended ${formatSince(endedAt, context)}` : '',
    change: endedAt === null && tokenId ? `/settings/apps/tokens/${tokenId}/reading` : '',
  };
}

const SCOPE_WORDS: Record<TokenScope, { label: string; hint: string; short: string }> = {
  read: {
    label: 'Read digests, contacts and promises',
    hint: 'The GET addresses of the API.',
    short: 'read digests, contacts and promises',
  },
  promises: {
    label: 'Change promises',
    hint: 'Complete, move and edit them. It can’t send anything.',
    short: 'change promises',
  },
  assistant: {
    label: 'Connect an AI assistant',
    hint: 'Gives it nothing yet: after this you choose what it may read.',
    short: 'connect an assistant',
  },
};

const LIFETIME_WORDS: Record<Lifetime, string> = {
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In 1 year',
  never: 'When I revoke it',
};
const DAY_MS = 86_400_000;
const USUAL_LIFETIME: Lifetime = '90';

/** Submitted values of the form for a new token. */
export type TokenForm = { name: string; scopes: string[]; lifetime: string };

export function readTokenForm(body: unknown): TokenForm {
  const { name, scopes, lifetime } = Object(body);
  return {
    name: typeof name === 'string' ? name.slice(0, 200) : '',
    scopes: [scopes].flat().filter(one => typeof one === 'string'),
    lifetime: typeof lifetime === 'string' ? lifetime : '',
  };
}

type AppsContext = {
  created?: CreatedToken | undefined;
  /** The secret of the feed whose address was just created. */
  secretOfFeed?: string | undefined;
  typed?: TokenForm | undefined;
  errors: Record<string, string>;
  appUrl: string;
};

/** The page of connected apps. */
export function presentApps(apps: Apps, { created, secretOfFeed, typed, errors, appUrl }: AppsContext) {
  const live = apps.tokens.filter(token => !isExpired(token, apps));
  return {
    created: created && {
      name: created.token.name,
      secret: created.secret,
      next: isAssistant(created.token) ? readingPage(created.token) : '',
    },
    active: live.length > 0 ? `${live.length} active` : '',
    tokens: apps.tokens.map(token => presentToken(token, apps)),
    form: formOf(typed, errors),
    assistants: { ...presentAssistants(live, appUrl), ...presentLastCall(apps) },
    calendar: presentFeed(apps, { secretOfFeed, appUrl }),
    uses: presentUses(apps),
    hasAny: apps.tokens.length > 0 || apps.feed !== undefined,
  };
}

function presentFeed({ feed, ...moment }: Apps, { secretOfFeed, appUrl }: Pick<AppsContext, 'secretOfFeed' | 'appUrl'>) {
  const address = (secret: string) => `${appUrl}/calendar/${secret}.ics`;
  return {
    isOpen: feed !== undefined,
    link: secretOfFeed === undefined ? '' : address(secretOfFeed),
    masked: feed ? address(`${feed.hint}••••••••`) : '',
    read: feed?.lastReadAt ? `Read ${formatSince(feed.lastReadAt, moment)}` : 'Not read yet',
    isRead: Boolean(feed?.lastReadAt),
  };
}

function presentToken(token: Token, apps: Apps) {
  const { id, name, scopes, lastUsedAt } = token;
  const consent = apps.reading.get(id);
  const groups = consent?.groups ? formatQuantity(consent.groups, 'group', 'groups') : '';
  const read = [consent?.isPrivate && 'all private conversations', groups].filter(Boolean).join(' and ');
  const may = joinList(scopes.map(scope => SCOPE_WORDS[scope].short));
  return {
    id,
    name,
    may: capitalized(may),
    ends: endWords(token, apps),
    isExpired: isExpired(token, apps),
    reading: isAssistant(token) && { words: `Reads ${read || 'nothing yet'}`, href: readingPage(token) },
    used: lastUsedAt ? `used ${formatSince(lastUsedAt, apps)}` : 'not used yet',
  };
}

const isAssistant = ({ scopes }: Token) => scopes.includes('assistant');
const readingPage = ({ id }: Token) => `/settings/apps/tokens/${id}/reading`;
const capitalized = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Address of the tools and setup instructions for assistants. */
function presentAssistants(live: Token[], appUrl: string) {
  const count = live.filter(isAssistant).length;
  const address = `${appUrl}/mcp`;
  const authorization = 'Bearer YOUR_TOKEN';
  const servers = { forenoon: { type: 'http', url: address, headers: { Authorization: authorization } } };
  return {
    active: count > 0 ? formatQuantity(count, 'assistant', 'assistants') : '',
    address,
    command: `claude mcp add --transport http forenoon ${address} --header "Authorization: ${authorization}"`,
    json: JSON.stringify({ mcpServers: servers }, null, 2),
  };
}

/** `Last call today at 08:12: list_promises. 2 conversations were left out.` */
function presentLastCall({ lastCall, ...now }: Apps) {
  if (!lastCall) return { lastCall: '', isWorking: false };
  const { tool, at, leftOut } = lastCall;
  const others = leftOut > 0 ? ` ${formatQuantity(leftOut, 'conversation is', 'conversations are')} left out.` : '';
  return {
    lastCall: `Last call ${formatSince(at, now)}: ${tool}.${others}`,
    isWorking: now.now.getTime() - at.getTime() < DAY_MS,
  };
}

/** Uses of tokens in the last day, without those that are zero; empty without a token. */
function presentUses({ tokens, now }: Apps): { term: string; words: string }[] {
  if (tokens.length === 0) return [];
  const each = tokens.map(({ uses }) => sumUses(usesOfLastDay(uses, now)));
  const { reads, changes, refused } = sumUses(each);
  const readers = each.filter(one => one.reads > 0).length;
  const uses = [
    { term: 'Reads', words: reads > 0 ? `${formatCount(reads)} by ${formatQuantity(readers, 'token', 'tokens')}` : 'None' },
    changes > 0 && { term: 'Changes', words: formatCount(changes) },
    refused > 0 && { term: 'Refused', words: `${formatCount(refused)}, scope missing` },
  ];
  return uses.filter(use => use !== false);
}

const isExpired = ({ expiresAt }: Token, { now }: Apps): boolean => expiresAt !== null && expiresAt <= now;

function endWords(token: Token, { now, timezone }: Apps): string {
  if (!token.expiresAt) return 'until you revoke it';
  const day = formatShortDay(localDay(token.expiresAt, timezone), localDay(now, timezone));
  return `${token.expiresAt <= now ? 'expired' : 'ends'} ${day}`;
}

function formOf(typed: TokenForm | undefined, errors: Record<string, string>) {
  const chosen = typed?.lifetime ?? USUAL_LIFETIME;
  return {
    isOpen: Object.keys(errors).length > 0,
    name: typed?.name ?? '',
    longestName: MAX_NAME_LENGTH,
    scopes: SCOPES.map(scope => ({
      id: `scope-${scope}`,
      value: scope,
      ...SCOPE_WORDS[scope],
      isChecked: typed?.scopes.includes(scope) ?? false,
    })),
    lifetimes: (Object.keys(LIFETIMES) as Lifetime[]).map(value => ({
      value,
      label: LIFETIME_WORDS[value],
      isChosen: value === chosen,
    })),
  };
}
