import { z } from 'zod';
import { visibleName } from '../../../lib/visibleText.ts';
import type { CrmContact } from '../types.ts';
import { readObjection } from './objections.ts';

/** The parts of the vendor's answers that are used. Everything a person may have left empty can be null or missing. */

const value = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .nullish()
  .transform(content => content ?? '');

const name = value.transform(visibleName);

const id = z.union([z.string(), z.number()]).transform(String);

const OF_PERSON = ['firstname', 'lastname', 'email', 'company', 'phone', 'mobilephone'];
const OF_MERGES = ['hs_merged_object_ids', 'hs_calculated_merged_vids'];
export const CONTACT_PROPERTIES = [...OF_PERSON, 'messenger_username', 'messenger_user_id', ...OF_MERGES];

const contactProperties = z.object({
  firstname: name,
  lastname: name,
  email: value,
  company: name,
  phone: value,
  mobilephone: value,
  messenger_username: value,
  messenger_user_id: value,
  hs_merged_object_ids: value,
  hs_calculated_merged_vids: value,
});

export const contactReply = z
  .object({ id, properties: contactProperties })
  .transform(
    ({ id: contactId, properties: p }): CrmContact => ({
      id: contactId,
      firstName: p.firstname,
      lastName: p.lastname,
      email: p.email,
      company: p.company,
      phone: p.phone,
      mobilePhone: p.mobilephone,
      messengerUsername: p.messenger_username,
      messengerUserId: p.messenger_user_id,
      mergedIds: mergedIds(p.hs_merged_object_ids, p.hs_calculated_merged_vids),
    }),
  );

/** `12;34` since 2025; `12:1574441416000;34:…` for earlier merges. */
function mergedIds(...lists: string[]): string[] {
  const ids = lists.flatMap(list => list.split(';')).map(entry => entry.split(':')[0] ?? '');
  return [...new Set(ids.map(entry => entry.trim()).filter(Boolean))];
}

/** A property with more options is treated as one that accepts any text, as the list would be too long to choose from. */
const MAX_OPTIONS = 200;

const paging = z.object({ next: z.object({ after: z.string() }).nullish() }).nullish();

export const searchReply = z.object({ results: z.array(contactReply), paging });

/** The failed part of a batch, with the ids of its records. */
const batchError = z
  .looseObject({ category: z.string().catch(''), context: z.record(z.string(), z.array(z.string()).catch([])).catch({}) })
  .transform(error => ({ category: error.category, context: error.context, objection: readObjection(error) }));
export type BatchError = z.output<typeof batchError>;

const errors = z
  .array(batchError)
  .nullish()
  .transform(list => list ?? []);

export const contactsReply = z.object({ results: z.array(contactReply), errors });

export const writtenReply = z.object({ results: z.array(z.object({ id })), errors });
export type WrittenReply = z.output<typeof writtenReply>;

export const NOTE_PROPERTIES = ['hs_note_body'];
export const TASK_PROPERTIES = ['hs_task_status', 'hs_task_completion_date', 'hs_task_body'];

/** Notes have the first of these properties, tasks the others. */
const written = z
  .object({
    id,
    objectWriteTraceId: z.string().nullish(),
    properties: z.object({
      hs_note_body: value,
      hs_task_status: value,
      hs_task_completion_date: value,
      hs_task_body: value,
    }),
  })
  .transform(({ properties: p, ...record }) => {
    const isCompleted = p.hs_task_status === 'COMPLETED';
    // While a task is open the CRM may keep its due date there.
    const completedAt = isCompleted ? p.hs_task_completion_date : '';
    return { ...record, body: p.hs_note_body || p.hs_task_body, isCompleted, completedAt };
  });
export const engagementsReply = z.object({ results: z.array(written), errors });

export const OWNER_PROPERTIES = ['hubspot_owner_id', 'hs_merged_object_ids', 'hs_calculated_merged_vids'];

export const ownersReply = z.object({
  results: z.array(
    z
      .object({
        id,
        properties: z.object({ hubspot_owner_id: value, hs_merged_object_ids: value, hs_calculated_merged_vids: value }),
      })
      .transform(({ id: contactId, properties: p }) => ({
        contactIds: [contactId, ...mergedIds(p.hs_merged_object_ids, p.hs_calculated_merged_vids)],
        ownerId: p.hubspot_owner_id,
      })),
  ),
});

/** A property's label, and the values it takes. */
export const propertyReply = z.object({
  label: z.string().catch(''),
  hasUniqueValue: z.boolean().catch(false),
  options: z
    .array(z.object({ label: z.string(), value: z.string() }))
    .catch([])
    .transform(all => (all.length > MAX_OPTIONS ? [] : all)),
});

/** The library calls `from` `_from`. */
export const associationsReply = z.object({
  results: z.array(z.object({ _from: z.object({ id }), to: z.array(z.object({ toObjectId: id })), paging })),
});

/** Schema for replies whose content is ignored. */
export const anyReply = z.unknown();
