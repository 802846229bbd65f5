import { engagementsOf } from './engagements.ts';
import { keptHtml } from './noteHtml.ts';
import { presentTaskLine } from './presentTask.ts';
import type { CrmRecord } from './records.ts';
import { livingRecords, type Portal } from './state.ts';

const ON_PAGE = 50;
const MAX_OFFERED = 20;
const LISTED = ['firstname', 'lastname', 'email', 'hs_additional_emails', 'company', 'phone', 'mobilephone'];
const IN_TITLE = new Set(['firstname', 'lastname']);

const order = new Intl.Collator('en');
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Returns one page of the contacts that contain every word, ordered by name. */
export function presentList(portal: Portal, { q, page }: { q: string; page: number }) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = livingRecords(portal, 'contacts')
    .filter(contact => words.every(word => textOf(contact).includes(word)))
    .sort((a, b) => order.compare(nameOf(a), nameOf(b)));
  const last = Math.max(1, Math.ceil(found.length / ON_PAGE));
  const current = Math.min(page, last);
  const notes = countNotes(portal);
  return {
    q,
    portal: { id: portal.id, name: portal.name },
    total: found.length,
    noteCount: livingRecords(portal, 'notes').length,
    contacts: found
      .slice((current - 1) * ON_PAGE, current * ON_PAGE)
      .map(contact => ({
        href: addressOf(contact),
        name: nameOf(contact),
        company: contact.properties.company ?? '',
        email: contact.properties.email ?? '',
        phone: contact.properties.phone ?? contact.properties.mobilephone ?? '',
        notes: notes.get(contact.id) ?? 0,
      })),
    current,
    last,
    previous: current > 1 ? pageLink(portal, q, current - 1) : undefined,
    next: current < last ? pageLink(portal, q, current + 1) : undefined,
  };
}

export function presentContact(portal: Portal, contact: CrmRecord) {
  const properties = Object.entries(contact.properties)
    .filter(([name]) => !IN_TITLE.has(name))
    .map(([name, value]) => ({ name, value, label: portal.properties.contacts.get(name)?.label ?? name }));
  const written = engagementsOf(portal, 'notes', contact.id).map(note => ({
    id: note.id,
    at: note.properties.hs_timestamp ?? '',
    html: keptHtml(note.properties.hs_note_body ?? ''),
  }));
  return {
    id: contact.id,
    href: addressOf(contact),
    name: nameOf(contact),
    portal: { id: portal.id, name: portal.name },
    properties,
    notes: written
      .sort((a, b) => b.at.localeCompare(a.at) || Number(b.id) - Number(a.id))
      .map(note => ({ ...note, time: note.at && `${time.format(new Date(note.at))} UTC` })),
    tasks: engagementsOf(portal, 'tasks', contact.id)
      .map(presentTaskLine)
      .sort((a, b) => Number(a.isCompleted) - Number(b.isCompleted) || a.due.localeCompare(b.due)),
    others: likelyDoubles(portal, contact).map(other => ({
      id: other.id,
      words: [nameOf(other), other.properties.company].filter(Boolean).join(', '),
    })),
  };
}

/** The contacts a person may want to merge it with. */
function likelyDoubles(portal: Portal, contact: CrmRecord): CrmRecord[] {
  const shared = ['lastname', 'company', 'hs_searchable_calculated_phone_number'];
  return livingRecords(portal, 'contacts')
    .filter(other => other.id !== contact.id)
    .filter(other =>
      shared.some(name => Boolean(other.properties[name]) && other.properties[name] === contact.properties[name]),
    )
    .slice(0, MAX_OFFERED);
}

function countNotes(portal: Portal): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of livingRecords(portal, 'notes').flatMap(({ contactIds }) => contactIds)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function nameOf({ id, properties }: CrmRecord): string {
  const name = [properties.firstname, properties.lastname].filter(Boolean).join(' ');
  return name || properties.email || `Contact ${id}`;
}

function textOf({ id, properties }: CrmRecord): string {
  return [id, ...LISTED.map(name => properties[name] ?? '')].join(' ').toLowerCase();
}

function addressOf({ portalId, id }: CrmRecord): string {
  return `/contacts/${portalId}/record/0-1/${id}`;
}

function pageLink(portal: Portal, q: string, page: number): string {
  return `/?${new URLSearchParams({ account: portal.id, q, page: String(page) })}`;
}
