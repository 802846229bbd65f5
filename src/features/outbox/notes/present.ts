import type { StructuredDigest } from '../../../clients/summarizer/types.ts';
import { formatLongDay, formatQuantity, isolateDirection, isolateName } from '../../../lib/words.ts';
import { describeExchanges, type ExchangeView, findLastEnded, lineText } from '../../digests/describeExchanges.ts';
import { describeSpokenLanguage } from '../../digests/present.ts';
import { NAMELESS } from '../../messenger/dialogs/rules.ts';
import type { NoteContent } from './schema.ts';

/** The CRM takes 65,536 characters. */
const MAX_BODY_CHARACTERS = 65_000;
/** Limits on the length of a text and of a list, tried one after the other until the note is short enough. */
const CUTS = [
  { text: 10_000, list: 100 },
  { text: 2000, list: 20 },
  { text: 500, list: 10 },
  // Short enough even if every character is one that takes six when escaped.
  { text: 120, list: 5 },
] as const;

/** Indent of answers: the CRM drops styles and collapses ordinary spaces. */
const INDENT = '\u2003';
/** The most lines of an exchange. */
const MAX_LINES = 5;

export type NoteText = { marker: string; at: Date; bodyHtml: string };

/**
 * The note of a digest: header, summary, a section for each part that has something, footer. The marker is the
 * address of the digest; it is in the body once, in the footer's link.
 * @param appUrl the service's origin
 */
export function composeNote(input: NoteContent, appUrl: string): NoteText {
  const content = inCrmLanguage(input);
  const marker = digestUrl(content.digestId, appUrl);
  const bodies = CUTS.values().map(cut => noteHtml(content, { cut, marker, appUrl }));
  const bodyHtml = bodies.find(body => body.length <= MAX_BODY_CHARACTERS) ?? '';
  return { marker, bodyHtml, at: content.lastMessageAt ?? new Date(`${content.digestDate}T12:00:00Z`) };
}

export const digestUrl = (digestId: string, appUrl: string): string => `${appUrl}/digests/${digestId}`;

type Frame = { cut: (typeof CUTS)[number]; marker: string; appUrl: string };

function noteHtml(content: NoteContent, frame: Frame): string {
  const { structured } = content;
  const safe = (text: string) => safeText(isolateName(text, content.peerName), frame);
  const topics = section('Topics', structured.topics.map(safe), frame);
  const items = section('Action items', actionItems(content, safe), frame);
  const { ended, others } = splitExchanges(content);
  const linesOf = (exchange: ExchangeView) => exchangeLines(exchange, safe);
  const summary = structured.exchanges?.length
    ? [...ended.map(linesOf), items, section('What happened', others.map(linesOf), frame), topics]
    : [...safe(content.summary).split('\n').map(paragraph), topics, items];
  const sections = [
    section(
      'Meetings',
      structured.meetings.map(meeting => withWords(safe(meeting.text), [dayWords(meeting.date)])),
      frame,
    ),
    section('Introductions', structured.introductions.map(safe), frame),
    section('Deal signals', structured.dealSignals.map(safe), frame),
    section(
      'Links',
      structured.links.map(link => linkHtml(link, safe)),
      frame,
    ),
  ];
  return [header(content, safe), ...summary, ...sections, footer(content, frame)].join('');
}

/** The name between marks that isolate its writing direction. */
function header({ peerName, digestDate }: NoteContent, safe: (text: string) => string): string {
  const name = safe(peerName.slice(0, 200)) || NAMELESS;
  const day = `${formatLongDay(digestDate)} ${digestDate.slice(0, 4)}`;
  return `<p><strong>Telegram: \u2068${name}\u2069</strong>, ${day}</p>`;
}

const paragraph = (line: string): string => line.trim() && `<p>${line.trim()}</p>`;

/** Empty if there is nothing to list. */
function section(title: string, items: string[], { cut }: Frame): string {
  const shown = items.filter(item => item !== '').slice(0, cut.list);
  if (shown.length === 0) return '';
  return `<p><strong>${title}</strong></p><ul>${shown.map(item => `<li>${item}</li>`).join('')}</ul>`;
}

/** Splits off the exchange that ended last. It goes first, as the CRM shows only the beginning of a note. */
function splitExchanges({ structured, digestDate }: NoteContent): Record<'ended' | 'others', ExchangeView[]> {
  const exchanges = structured.exchanges ?? [];
  const described = describeExchanges(exchanges, { today: digestDate, namesUser: true });
  const last = findLastEnded(exchanges);
  const at = last ? exchanges.indexOf(last) : -1;
  return { ended: described.filter((_, n) => n === at), others: described.filter((_, n) => n !== at) };
}

function exchangeLines({ lines }: ExchangeView, safe: (text: string) => string): string {
  return lines
    .slice(0, MAX_LINES)
    .map(line => `<p>${line.isAnswer ? INDENT : ''}${safe(lineText(line))}</p>`)
    .join('');
}

/** An item that answers a request is printed below the words of the request. */
function actionItems({ structured, userName, peerName }: NoteContent, safe: (text: string) => string): string[] {
  return structured.actionItems.map(({ request, ...item }) => {
    // The words that were said with the day they mean: `by Friday: Fri 27 November 2026`.
    const due = [item.dueText && safe(item.dueText), dayWords(item.dueDate)].filter(Boolean).join(': ');
    const named = item.ownerName ?? (item.owner === 'contact' ? peerName : '');
    const owner = item.owner === 'user' ? userName || 'Forenoon’s user' : named;
    const text = withWords(safe(item.text), [owner && safe(isolateDirection(owner)), due]);
    return request ? `<p>${safe(`${isolateDirection(request.who)}: ${request.words}`)}</p><p>${INDENT}↳ ${text}</p>` : text;
  });
}

function dayWords(day: string | null): string {
  const isDay = day && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  return isDay ? `${formatLongDay(day)} ${day.slice(0, 4)}` : '';
}

function withWords(text: string, words: (string | null)[]): string {
  const added = words.filter(Boolean).join('; ');
  return text && added ? `${text} (${added})` : text;
}

/** A link only where it leads to the web: anything else is text. */
function linkHtml(link: string, safe: (text: string) => string): string {
  const shown = safe(link);
  const isWeb = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  return isWeb && !shown.endsWith('…') ? `<a href="${shown}">${shown}</a>` : shown;
}

function footer({ messageCount, structured, isBuiltIn }: NoteContent, { marker }: Frame): string {
  const builtIn = structured.exchanges ? KEY_LINES : BASIC;
  const parts = [
    formatQuantity(messageCount, 'message', 'messages'),
    priorityWords(structured),
    describeSpokenLanguage(structured),
    isBuiltIn ? builtIn : 'AI summary, may contain errors',
    `<a href="${escapeHtml(marker)}">Open the digest in Forenoon</a>`,
  ];
  return `<p>${parts.filter(part => part !== '').join(' · ')}</p>`;
}

const KEY_LINES = 'Key lines in their own words, chosen by Forenoon · may miss what matters';
const BASIC = 'Basic summary made without AI, may miss what matters';

/** The priority in words; '' for none, and for low priority on a day on which a matter ended. */
function priorityWords({ urgency, exchanges = [] }: StructuredDigest): string {
  if (urgency === 'low' && findLastEnded(exchanges)) return '';
  return urgency === 'none' ? '' : `Priority: ${urgency}`;
}

/** Cuts the text, removes the address of any digest, which would make the note look like another's, and escapes it. */
function safeText(text: string, { cut, appUrl }: Frame): string {
  const whole = text.length <= cut.text ? text : `${text.slice(0, cut.text).toWellFormed().trimEnd()}…`;
  const clean = whole.replace(/[^\P{Cc}\n\t]/gu, '').toWellFormed();
  return escapeHtml(clean.replaceAll(`${appUrl}/digests/`, `${appUrl}/`)).trim();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '');

/** The content of a note, in the texts for the CRM if these have a language of their own. */
function inCrmLanguage(content: NoteContent): NoteContent {
  const { inCrm, ...structured } = content.structured;
  if (!inCrm) return content;
  return {
    ...content,
    summary: inCrm.summary,
    structured: {
      ...structured,
      writtenIn: inCrm.language,
      topics: inCrm.topics,
      actionItems: structured.actionItems.map(item => ({ ...item, text: item.textInCrm ?? item.text })),
      meetings: structured.meetings.map((meeting, at) => ({ ...meeting, text: inCrm.meetings[at] ?? meeting.text })),
      introductions: inCrm.introductions,
    },
  };
}
