import { formatQuantity } from '../../../lib/words.ts';
import { SESSION_DAYS } from '../../base/users/service.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { KEPT_DAYS } from '../cleanUp/rules.ts';

/** The parts of the configuration that decide who gets to see what. Hosts have no port if it is the usual one. */
export type Services = {
  /** Undefined: the built-in summarizer reads everything. */
  ai: { model: string; host: string } | undefined;
  hasCrm: boolean;
  hasPayments: boolean;
  mailHost: string | undefined;
  hasAlertBot: boolean;
  hasRedis: boolean;
};

type StorageLine = { what: string; detail: string; kept: string };

const days = (count: number) => formatQuantity(count, 'day', 'days');
const PAYMENTS_NAME = 'Stripe';
const ALWAYS = 'while you have an account';

/** The page about privacy, made from the rules of the clean-up and from how this server is set up. */
export function presentPrivacy(services: Services) {
  return { reader: aiReader(services), stored: storedWith(services), services: servicesOf(services), cookies: COOKIES };
}

function aiReader({ ai }: Services): { title: string; detail: string } {
  if (!ai) {
    const detail =
      'Digests are written on this server, in people’s own words: it quotes messages and words nothing itself. An ' +
      'assistant that you connect yourself reads what you open to it.';
    return { title: 'Only this server', detail };
  }
  return {
    title: `This server, and the AI service at ${ai.host}`,
    detail:
      `Whoever connects Telegram chooses who writes the digests: this server, or the model ${ai.model} there. Only with ` +
      'that consent are new messages sent to it, with first names and the promises that are open in the same conversation, ' +
      'which may be quotes, except those that this server quoted before the consent; groups only where they are switched ' +
      'on one by one. When you ask a question or open a brief, the question and the passages found for it in such ' +
      'conversations are sent, with others of the same ones, and after a sync what the day’s digests say, if the consent named that; all others are ' +
      'searched and compared here alone. If you choose a language ' +
      'for digests, the texts of a digest in another one are sent once more. This server chooses and shortens people’s own words instead. ' +
      'It can be taken back at any time. An account connected through the API alone follows the operator’s setting, ' +
      'which is the model. An assistant that you connect yourself reads what you open to it.',
  };
}

function storedWith({ ai, hasCrm, hasPayments, hasRedis }: Services): StorageLine[] {
  const lines: (StorageLine | false | undefined)[] = [
    { what: 'Your account', detail: 'Email address, the name you gave, and your settings.', kept: ALWAYS },
    {
      what: 'Where you are signed in',
      detail: 'The browser, as it identifies itself, when you signed in and, to the hour, when it was last used.',
      kept: `${days(SESSION_DAYS)} after the last use`,
    },
    {
      what: 'Your Telegram session',
      detail: 'Encrypted (AES-256-GCM), with the account’s name, username and phone number.',
      kept: 'until you disconnect; the name and number while you have an account',
    },
    {
      what: 'Conversations',
      detail:
        'Name, username and phone number as Telegram shows them to you, how far each was read, and your choices. ' +
        'Messages are not part of it.',
      kept: ALWAYS,
    },
    {
      what: 'Digests',
      detail:
        'The text, topics, promises and mood of a conversation for a day, plus who wrote the messages behind it, when, and ' +
        'their IDs. Written on this server, it consists of people’s own words: short quotes, and up to 24 lines of each day ' +
        'for search, questions and briefs, with secrets masked where they are recognized. It stays when a message is deleted in Telegram. You can delete it earlier on the conversation’s page.',
      kept: days(KEPT_DAYS.digests),
    },
    {
      what: 'Promises',
      detail:
        'What you or others promised to do, as the digests say it, so often in people’s own words: the words, the due date, the IDs of the messages, and ' +
        'its state, such as that you checked it off, and what you added or edited yourself. Of the message that it answers, and of the one that closed it: who wrote ' +
        'it and its first 120 characters.',
      kept:
        `${days(KEPT_DAYS.promises)} after it was closed; if it is open, after its day or its last mention, whichever is later; ` +
        'or until you delete the digests that say it; what you added or edited stays then',
    },
    {
      what: 'Questions that wait for your answer',
      detail:
        'The question as the digest tells it, or its first 120 characters, when it was asked, the ID of the message, and that ' +
        'you said no answer is needed.',
      kept: `until you answer or delete the digest, at most ${days(KEPT_DAYS.questions)}`,
    },
    {
      what: 'What you ask, and briefs',
      detail:
        'Nothing: answers and briefs are put together on this server from your digests and promises when you open them, and ' +
        'neither is kept or logged. A question is part of the page’s address, which your browser may remember.',
      kept: 'not at all',
    },
    ai && {
      what: 'Sentences of the model over them',
      detail:
        'What the model wrote over the passages of an answer or a brief, where you agreed to that, under a hash of the question ' +
        'and the passages. The question is not kept.',
      kept: `${days(KEPT_DAYS.answers)}, or until you delete a digest`,
    },
    {
      what: 'Who writes your digests',
      detail: 'What you chose, when, the wording you saw, and when the choice ended.',
      kept: ALWAYS,
    },
    {
      what: 'Access tokens',
      detail:
        'As a hash, with the name you gave, what it may do, when it ends, to the minute when it was last used, how often in ' +
        'each hour of the day before, and the name of the tool that an assistant called last.',
      kept: 'until you revoke it',
    },
    {
      what: 'What assistants may read',
      detail: 'The assistant’s name, which conversations you opened to it, when, the wording you saw, and when that ended.',
      kept: ALWAYS,
    },
    {
      what: 'Your calendar feed',
      detail: 'Its link as a hash, with the first four characters, and when it was last read.',
      kept: 'until you turn it off',
    },
    {
      what: 'Syncs',
      detail: 'When they ran, how many conversations they read, and what went wrong.',
      kept: days(KEPT_DAYS.syncJobs),
    },
    hasCrm && {
      what: `Access to ${CRM_NAME}`,
      detail: 'The tokens, encrypted, and which account they belong to.',
      kept: 'until you disconnect; which account it was while you have an account',
    },
    hasCrm && {
      what: 'Matches, notes and tasks',
      detail:
        `Which ${CRM_NAME} contact a conversation belongs to and why, with the details that were compared, and which ` +
        'our notes and tasks are there, so that they can be changed and removed.',
      kept: ALWAYS,
    },
    hasPayments && {
      what: 'Your plan',
      detail: 'Which one, until when it’s paid, and the payment provider’s IDs for it. Never a card.',
      kept: `${ALWAYS}; past events ${days(KEPT_DAYS.paymentEvents)}`,
    },
    hasPayments && {
      what: 'After an account is deleted',
      detail: 'A hash of its ID, so that a purchase completed later is canceled.',
      kept: days(KEPT_DAYS.paymentEvents),
    },
    { what: 'Links to sign in', detail: 'As a hash, with the address they went to.', kept: days(KEPT_DAYS.signInTokens) },
    {
      what: 'Short-lived data',
      detail: `A message for your next page, the steps of connecting an account, attempt counts${hasRedis ? ' (some of it in Redis)' : ''}.`,
      kept: 'about an hour',
    },
    {
      what: 'Operator alerts',
      detail: 'That someone signed up, that a sync failed: numbers and codes, no names and nothing anyone wrote.',
      kept: days(KEPT_DAYS.alerts),
    },
  ];
  return lines.filter(line => typeof line === 'object');
}

/** Services that get data only after the user connects them under Connected apps. */
const CONNECTED = [
  {
    name: 'Programs you connect with a token',
    role: 'Read your digests, contacts and promises, or change promises, as far as the token says. Off until you create one.',
  },
  {
    name: 'AI assistants you connect',
    role:
      'Read digests, promises and open questions of the conversations you opened to each of them, also those written on ' +
      'this server, which are people’s own words, and who belongs to one company. What they read goes to whoever runs them. Off until you connect one.',
  },
  {
    name: 'Your calendar',
    role:
      'Reads promises with a day, appointments and deadlines, with names, through a link that only you are shown. Off ' +
      'until you turn it on.',
  },
];

function servicesOf({ ai, hasCrm, hasPayments, mailHost, hasAlertBot }: Services): { name: string; role: string }[] {
  const lines = [
    { name: 'Telegram', role: 'Provides your conversations, in a session of your own. Nothing is sent in your name.' },
    ai && {
      name: `The AI service at ${ai.host}`,
      role:
        'Gets new messages, and the promises that are open, to write the digests, where you agreed to it; and questions with the ' +
        'passages found for them and others of the same conversations.',
    },
    hasCrm && {
      name: CRM_NAME,
      role:
        'Gets a note for each digest of a matched conversation, with the same quotes, and the contacts you create. Only ' +
        'once you connect it. With tasks turned on also your promises with a due day: the words, the day and the contact’s ' +
        'name in Telegram. These copies outlive the digest here, unless you delete it: then they are removed, too. Tasks ' +
        'only while they are turned on.',
    },
    hasPayments && {
      name: PAYMENTS_NAME,
      role: 'Gets your email address and your plan when you buy one. You pay on its own pages.',
    },
    mailHost && {
      name: `The mail server ${mailHost}`,
      role:
        'Gets your email address with sign-in links and, if you turn them on, your daily and weekly emails, which quote your ' +
        'digests and promises.',
    },
    hasAlertBot && { name: 'A Telegram bot', role: 'Gets operator alerts: numbers and codes.' },
    ...CONNECTED,
  ];
  return lines.filter(line => typeof line === 'object');
}

const COOKIES =
  'That you are signed in; a message for the next page, for an hour; light or dark, and whether single keys work, if ' +
  'you chose that.';
