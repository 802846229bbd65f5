import { countOf } from '../../lib/words.ts';
import { KEPT_DAYS } from '../cleanUp/rules.ts';
import { CRM_NAME } from '../crm/present.ts';
import { SESSION_DAYS } from '../users/service.ts';

/** What of the server's configuration decides who gets to see what. Hosts without a port where it is the usual one. */
export type Services = {
  /** Undefined: the built-in summarizer reads everything. */
  ai: { model: string; host: string } | undefined;
  hasCrm: boolean;
  hasPayments: boolean;
  mailHost: string | undefined;
  /** The operator is alerted through a bot. */
  hasAlertBot: boolean;
  hasRedis: boolean;
};

type Line = { what: string; detail: string; kept: string };

const days = (count: number) => countOf(count, 'day', 'days');
const PAYMENTS_NAME = 'Stripe';
const ALWAYS = 'while you have an account';

/** The page about privacy, made from what the clean-up goes by and from how this server is set up. */
export function presentPrivacy(services: Services) {
  return { reader: readerOf(services), stored: storedWith(services), services: servicesOf(services), cookies: COOKIES };
}

function readerOf({ ai }: Services): { title: string; detail: string } {
  if (!ai) {
    const detail = 'Summaries are written on this server; they may quote messages.';
    return { title: 'This server alone', detail };
  }
  return {
    title: `This server, and the AI service at ${ai.host}`,
    detail:
      `Whoever connects Telegram chooses who writes the digests: this server, or the model ${ai.model} there. Only with ` +
      'that consent are new messages sent to it, with first names and what earlier digests of the same conversation left ' +
      'open; groups only where they are switched on one by one. ' +
      'It can be taken back at any time. An account connected through the API alone follows the operator’s setting, ' +
      'which is the model.',
  };
}

function storedWith({ hasCrm, hasPayments, hasRedis }: Services): Line[] {
  const lines: (Line | false)[] = [
    { what: 'Your account', detail: 'Email address, the name you gave, and your settings.', kept: ALWAYS },
    {
      what: 'Where you are signed in',
      detail: 'What the browser says it is, when you signed in and, to the hour, when it was last used.',
      kept: `${days(SESSION_DAYS)} after the last use`,
    },
    {
      what: 'Your Telegram session',
      detail: 'Encrypted (AES-256-GCM). With it go the name, the username and the phone number of the account.',
      kept: 'until you disconnect; the name and number while you have an account',
    },
    {
      what: 'Conversations',
      detail:
        'With whom: name, username and phone number as Telegram shows them to you, how far each was read, and what ' +
        'you decided about it. The messages are not part of it.',
      kept: ALWAYS,
    },
    {
      what: 'Digests',
      detail:
        'The summary, topics, action items and mood of a conversation for a day, with who wrote the messages it rests ' +
        'on, when, and their ids. It may quote short passages (the built-in summarizer does).',
      kept: days(KEPT_DAYS.digests),
    },
    {
      what: 'Promises',
      detail:
        'What you or others are to do, as the digests say it: the words, the day, the ids of the messages, and what ' +
        'became of it, such as that you ticked it off.',
      kept: `${days(KEPT_DAYS.promises)} after it was closed or last said`,
    },
    {
      what: 'Who writes your digests',
      detail: 'What you chose, when, in which words, and until when it held.',
      kept: ALWAYS,
    },
    {
      what: 'Syncs',
      detail: 'When they ran, how many conversations, what went wrong.',
      kept: days(KEPT_DAYS.syncJobs),
    },
    hasCrm && {
      what: `Access to ${CRM_NAME}`,
      detail: 'The tokens, encrypted. With it goes which account it is.',
      kept: 'until you disconnect; which account it was while you have an account',
    },
    hasCrm && {
      what: 'Matches and notes',
      detail:
        `Which ${CRM_NAME} contact a conversation belongs to and why, with the details that were compared, and which ` +
        'our notes are there, so that they can be removed.',
      kept: ALWAYS,
    },
    hasCrm && {
      what: `What ${CRM_NAME} tells us`,
      detail: 'That something happened in an account, by its number. Nothing of its content.',
      kept: days(KEPT_DAYS.crmWebhooks),
    },
    hasPayments && {
      what: 'Your plan',
      detail: 'Which one, until when it is paid, and the numbers the payment provider knows it by. Never a card.',
      kept: `${ALWAYS}; what is over ${days(KEPT_DAYS.paymentEvents)}`,
    },
    hasPayments && {
      what: 'After an account is deleted',
      detail: 'A hash of its number, so that a purchase finished only then is canceled.',
      kept: days(KEPT_DAYS.paymentEvents),
    },
    {
      what: 'Links to sign in',
      detail: 'As a hash, with the address they went to.',
      kept: days(KEPT_DAYS.signInTokens),
    },
    {
      what: 'What lives for minutes',
      detail: `A message for your next page, the steps of a connection, counted tries${hasRedis ? ' (some of it in Redis)' : ''}.`,
      kept: 'about an hour',
    },
    {
      what: 'Operator alerts',
      detail: 'That someone signed up, that a sync failed: numbers and codes, no names and nothing anyone wrote.',
      kept: days(KEPT_DAYS.alerts),
    },
  ];
  return lines.filter(line => line !== false);
}

function servicesOf({ ai, hasCrm, hasPayments, mailHost, hasAlertBot }: Services): { name: string; role: string }[] {
  const lines = [
    {
      name: 'Telegram',
      role: 'Is asked for your conversations, in a session of your own. Nothing is sent in your name.',
    },
    ai && {
      name: `The AI service at ${ai.host}`,
      role: 'Gets new messages, to write the digests, where you agreed to it.',
    },
    hasCrm && {
      name: CRM_NAME,
      role:
        'Gets a note for each digest of a matched conversation, which may quote the same passages, and the contacts you ' +
        'create. Only once you connect it.',
    },
    hasPayments && {
      name: PAYMENTS_NAME,
      role: 'Gets your email address and your plan when you buy one. You pay on its own pages.',
    },
    mailHost && {
      name: `The mail server ${mailHost}`,
      role: 'Gets your address with links to sign in and, if you want that, your digest.',
    },
    hasAlertBot && { name: 'A Telegram bot', role: 'Gets operator alerts: numbers and codes.' },
  ];
  return lines.filter(line => typeof line === 'object');
}

const COOKIES =
  'That you are signed in; a message for the next page, for an hour; light or dark, and whether single keys work, if ' +
  'you chose that.';
