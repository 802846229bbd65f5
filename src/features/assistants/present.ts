import { countOf, sinceWords } from '../../lib/words.ts';
import type { NamedConsent, Question } from './schema.ts';

/** What the person reads before they agree, and what is stored with their answer. @param name of the assistant */
export function factsFor(name: string): { term: string; words: string }[] {
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

/** The answer as it is stored: with the words that were on the page. @param group its name; undefined for private ones */
export function wordingOf(name: string, group: string | undefined): string {
  const about = group === undefined ? `${PRIVATE}.` : `The group “${group}”.`;
  return [questionFor(name), about, ...factsFor(name).map(({ term, words }) => `${term}: ${words}`)].join('\n');
}

function questionFor(name: string): string {
  return `What may ${name} read?`;
}

/** The page on which a person says what an assistant may read. */
export function presentQuestion({ token, held, groups }: Question) {
  return {
    ...{ title: questionFor(token.name), action: `/settings/apps/tokens/${token.id}/reading` },
    facts: factsFor(token.name),
    isPrivate: held.isPrivate,
    groups: groups.map(({ id, name }) => ({ id, name, isChecked: held.groups.includes(id) })),
  };
}

/** `Reads all private conversations and 2 groups`. */
export function readingWords(held: { isPrivate: boolean; groups: number } | undefined): string {
  const groups = held?.groups ? countOf(held.groups, 'group', 'groups') : '';
  const all = [held?.isPrivate && 'all private conversations', groups].filter(Boolean).join(' and ');
  return all ? `reads ${all}` : 'reads nothing yet';
}

type Context = { now: Date; timezone: string };

/** One consent as the privacy page lists it. */
export function presentConsent(consent: NamedConsent, context: Context) {
  const { assistant, dialogId, dialogName, wording, agreedAt, endedAt, tokenId } = consent;
  return {
    title: `${assistant} may read`,
    about: dialogId === null ? PRIVATE : dialogName || 'A group',
    wording: wording.split('\n'),
    when: `Agreed ${sinceWords(agreedAt, context)}`,
    ended: endedAt ? `Ended ${sinceWords(endedAt, context)}` : '',
    change: endedAt === null && tokenId ? `/settings/apps/tokens/${tokenId}/reading` : '',
  };
}
