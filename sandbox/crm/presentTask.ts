import { keptHtml } from './noteHtml.ts';
import type { CrmRecord } from './records.ts';
import { findRecord, type Portal } from './state.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A task on its own page. */
export function presentTask(portal: Portal, task: CrmRecord) {
  const contacts = task.contactIds.flatMap(id => findRecord(portal, 'contacts', id) ?? []);
  const { hs_task_body: body = '', hs_task_priority: priority = '', hubspot_owner_id: owner = '' } = task.properties;
  return {
    ...presentTaskLine(task),
    portal: { id: portal.id, name: portal.name },
    id: task.id,
    html: keptHtml(body),
    priority,
    owner,
    contacts: contacts.map(({ id, properties }) => ({
      href: `/contacts/${portal.id}/record/0-1/${id}`,
      name: [properties.firstname, properties.lastname].filter(Boolean).join(' ') || `Contact ${id}`,
    })),
  };
}

/** A task in the list on its contact's page. */
export function presentTaskLine({ id, portalId, properties }: CrmRecord) {
  const { hs_task_subject: subject = '', hs_task_status: status = '', hs_timestamp: due = '' } = properties;
  return {
    href: `/contacts/${portalId}/record/0-27/${id}`,
    subject: subject || `Task ${id}`,
    status: { NOT_STARTED: 'Not started', COMPLETED: 'Completed' }[status] ?? status.toLowerCase().replace('_', ' '),
    isCompleted: status === 'COMPLETED',
    due,
    time: due && `${time.format(new Date(due))} UTC`,
  };
}
