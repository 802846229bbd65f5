import type { PeerType } from '../../../clients/messenger/types.ts';
import { formatQuantity, formatSince } from '../../../lib/words.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { chooseWriter, isInEffect, needsDecision, TERMS_VERSION } from './rules.ts';
import type { AiService, NamedChoice, NewChoice, OfferedWriter } from './schema.ts';
import type { ActiveChoices } from './service.ts';

/** The scope of a choice: all private conversations of an account, or a single conversation. */
export type ConsentScope = 'account' | 'person' | 'group';

const whatLeaves = (messages: string, where: 'here' | 'there') =>
  `New messages of ${messages}. With them go the promises that are open ${where}, which may be quotes; quotes from before ` +
  'you agree stay here. When you ask a question or open a brief: the question, and the passages of digests and promises ' +
  'found for it, with others of the same conversations. After a sync: what the day’s digests say, for the model to tell which news is greatest.';
const LEAVES: Record<ConsentScope, string> = {
  account: `${whatLeaves('your private conversations, with first names', 'there')} You can leave out single ones.`,
  person: whatLeaves('this conversation, with first names', 'here'),
  group: whatLeaves('this group, with its name and first names', 'here'),
};
/** The two answers to "Who writes your digests?", as the page shows them, and as they are stored. */
export function offersFor({ model, host }: AiService, scope: ConsentScope) {
  const others = scope === 'group' ? 'The others in this group haven’t' : 'The other side hasn’t';
  return [
    {
      writer: 'built-in' as const,
      title: 'This server',
      who: 'The built-in summarizer',
      facts: [
        { term: 'What leaves this server', words: 'Nothing.' },
        {
          term: 'What stays',
          words:
            'Everything, here. A digest is people’s own words: short quotes, with secrets masked where they are recognized. They ' +
            'stay until the digest expires or you delete it, also when the message is deleted in Telegram.',
        },
        {
          term: 'Good to know',
          words:
            'Chooses and shortens what was said, and words nothing itself. Misses more in long conversations with many threads.',
        },
      ],
      example:
        'Helen: We sign if the invoice is dated after December 1. ↳ Farid: Fine … and a trainer for Rotterdam by Friday?',
    },
    {
      writer: 'model' as const,
      title: 'An AI model',
      who: `Model ${model}, at ${host}`,
      facts: [
        { term: 'What leaves this server', words: LEAVES[scope] },
        {
          term: 'What stays',
          words: `Contact details, files, ${CRM_NAME} data and your Telegram session. Passwords and codes are masked where they are recognized.`,
        },
        { term: 'Good to know', words: `Reads long conversations well. ${others} been asked, so tell them first.` },
      ],
      example:
        'Farid got Helen’s agreement to sign once the invoice is dated after December 1, and still needs a trainer by Friday.',
    },
  ];
}

/** The answer as it is stored: with the words that were on the page. */
export function composeChoice(writer: OfferedWriter, service: AiService, scope: ConsentScope): NewChoice {
  const offer = offersFor(service, scope).find(one => one.writer === writer);
  const facts = offer?.facts.map(({ term, words }) => `${term}: ${words}`) ?? [];
  const wording = ['Who writes your digests?', `${offer?.title}. ${offer?.who}.`, ...facts].join('\n');
  return writer === 'model'
    ? { writer, ...service, terms: TERMS_VERSION, wording }
    : { writer, model: null, host: null, wording };
}

/** Sentences to tell the other side, ready to be copied. */
export function sentencesToTell(service: AiService | undefined): { id: string; label: string; text: string }[] {
  const tell = (what: string) =>
    `I use Forenoon to keep track of what we agree. ${what} once a day. Tell me if you’d rather not.`;
  const quotes = tell('It keeps short quotes from our chat');
  if (!service) return [{ id: 'tell', label: '', text: quotes }];
  const { model, host } = service;
  return [
    { id: 'tell', label: 'Written by this server', text: quotes },
    {
      id: 'tell-model',
      label: 'Written by the AI model',
      text: tell(`An AI model (${model}, at ${host}) summarizes our chat`),
    },
  ];
}

const pathOf = {
  account: (id: string) => `/settings/connections/${id}/writer`,
  dialog: (id: string) => `/conversations/${id}/writer`,
};

/** Writer of a conversation's digests and the link to change it; undefined without a choice. */
export function presentDialogWriter(
  dialog: { id: string; accountId: string; peerType: PeerType },
  { aiService, choices }: { aiService: AiService | undefined; choices: ActiveChoices },
): { words: string; href: string } | undefined {
  if (!aiService) return undefined;
  const ofAccount = choices.ofAccounts.get(dialog.accountId) ?? null;
  const ofDialog = choices.ofDialogs.get(dialog.id) ?? null;
  const writer = chooseWriter({ peerType: dialog.peerType, ofAccount, ofDialog }, aiService);
  const words = writer === 'model' ? `Digests by ${aiService.model}.` : 'Digests by this server.';
  return { words, href: pathOf.dialog(dialog.id) };
}

/** Writer of an account's digests, for Settings; undefined without a choice. */
export function presentAccountWriter(
  accountId: string,
  { aiService, choices }: { aiService: AiService | undefined; choices: ActiveChoices },
): { words: string; href: string } | undefined {
  if (!aiService) return undefined;
  const choice = choices.ofAccounts.get(accountId);
  const model = `${aiService.model}, at ${aiService.host}`;
  const writer = chooseWriter({ peerType: 'user', ofAccount: choice ?? null, ofDialog: null }, aiService);
  let words = 'Digests by this server. Nothing is sent to an AI model unless you allow a single conversation.';
  if (needsDecision(choice, aiService)) {
    words = `Digests by this server until you choose: it can also use an AI model (${model}).`;
  } else if (writer === 'model') {
    words = `Digests by an AI model (${model}). Groups are written by this server unless you switch them on one by one.`;
  }
  return { words, href: pathOf.account(accountId) };
}

type ChoiceContext = {
  accountNames: ReadonlyMap<string, string>;
  service: AiService | undefined;
  now: Date;
  timezone: string;
};

/** A choice under Privacy: answer, time, wording and end. */
export function presentChoice(choice: NamedChoice, { accountNames, service, ...now }: ChoiceContext) {
  const { id, accountId, dialogId, model, host, wording, chosenAt, endedAt } = choice;
  const about = dialogId ? (choice.dialogName ?? 'A conversation') : (accountNames.get(accountId) ?? 'Telegram');
  const isConsent = choice.writer === 'model';
  const change = dialogId ? pathOf.dialog(dialogId) : pathOf.account(accountId);
  return {
    id,
    about,
    title: isConsent ? `An AI model: ${model}, at ${host}` : TITLES[choice.writer],
    when: `Chosen ${formatSince(chosenAt, now)}`,
    ended: endedAt ? `${ENDED[choice.endReason ?? 'replaced']} ${formatSince(endedAt, now)}` : effectWords(choice, service),
    wording: wording.split('\n'),
    takeBack: isConsent && !endedAt ? change : undefined,
  };
}

/** Where a consent that was not taken back has no effect, or not the whole one; '' for any other choice. */
function effectWords(choice: NamedChoice, service: AiService | undefined): string {
  if (choice.writer !== 'model') return '';
  const isSameModel = choice.model === service?.model && choice.host === service?.host;
  if (!service || !isInEffect(choice, service)) return isSameModel ? OLDER_TERMS : OTHER_MODEL;
  return choice.terms < TERMS_VERSION ? DIGESTS_ALONE : '';
}

const TITLES = { 'built-in': 'This server', operator: 'Up to this server’s operator', model: 'An AI model' } as const;
const ENDED = { 'taken back': 'Taken back', replaced: 'Replaced', disconnected: 'Ended by disconnecting' } as const;
const OTHER_MODEL = 'Not in effect: this server now uses another model';
const DIGESTS_ALONE = 'In effect for digests, not for answers and briefs: choose again to allow these, too';
const OLDER_TERMS = 'Not in effect: more is sent than you read then. Choose again to allow it';

/** The question that Today asks until it is answered; undefined when there is none. */
export function writerQuestion(unanswered: readonly string[], service: AiService | undefined) {
  const [first] = unanswered;
  if (!first || !service) return undefined;
  const accounts = unanswered.length > 1 ? ` of ${formatQuantity(unanswered.length, 'account', 'accounts')}` : '';
  return {
    tone: 'warn' as const,
    icon: 'info',
    title: 'Who writes your digests?',
    text: `This server can use an AI model (${service.model}, at ${service.host}). Until you choose, it writes the digests${accounts} itself.`,
    link: { href: `/settings/connections/${first}/writer?from=today`, label: 'Choose' },
  };
}
