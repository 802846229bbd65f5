import type { ObjectType, Property, PropertyGroup } from './records.ts';

type Sketch = [name: string, label: string, kind?: 'datetime' | 'html' | 'number' | undefined, isReadOnly?: boolean];

const CONTACTS: Sketch[] = [
  ['firstname', 'First Name'],
  ['lastname', 'Last Name'],
  ['email', 'Email'],
  ['phone', 'Phone Number'],
  ['mobilephone', 'Mobile Phone Number'],
  ['company', 'Company Name'],
  ['jobtitle', 'Job Title'],
  ['website', 'Website URL'],
  ['city', 'City'],
  ['country', 'Country/Region'],
  ['lifecyclestage', 'Lifecycle Stage'],
  ['hubspot_owner_id', 'Contact owner'],
  ['hs_additional_emails', 'Additional email addresses'],
  ['hs_merged_object_ids', 'Merged record IDs', undefined, true],
  ['hs_calculated_merged_vids', 'Calculated merged contact IDs with timestamps', undefined, true],
  ['hs_searchable_calculated_phone_number', 'Calculated phone number', undefined, true],
  ['hs_searchable_calculated_mobile_number', 'Calculated mobile number', undefined, true],
  ['hs_object_id', 'Record ID', 'number', true],
  ['createdate', 'Create Date', 'datetime', true],
  ['lastmodifieddate', 'Last Modified Date', 'datetime', true],
];

const ENGAGEMENT: Sketch[] = [
  ['hs_timestamp', 'Activity date', 'datetime'],
  ['hubspot_owner_id', 'Activity assigned to'],
  ['hs_attachment_ids', 'Attached file IDs'],
  ['hs_object_id', 'Record ID', 'number', true],
  ['hs_createdate', 'Create date', 'datetime', true],
  ['hs_lastmodifieddate', 'Last modified date', 'datetime', true],
];

const SKETCHES: Record<ObjectType, Sketch[]> = {
  contacts: CONTACTS,
  notes: [['hs_note_body', 'Note body', 'html'], ...ENGAGEMENT],
  tasks: [
    ['hs_task_subject', 'Task Title'],
    ['hs_task_body', 'Task Notes', 'html'],
    ['hs_task_status', 'Task Status'],
    ['hs_task_priority', 'Task Priority'],
    ['hs_task_type', 'Task Type'],
    ['hs_task_reminders', 'Reminders'],
    ['hs_task_completion_date', 'Completed at', 'datetime', true],
    ...ENGAGEMENT,
  ],
};

const OPTIONS: Record<string, string[]> = {
  hs_task_status: ['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'COMPLETED', 'DEFERRED'],
  hs_task_priority: ['LOW', 'MEDIUM', 'HIGH', 'NONE'],
  hs_task_type: ['EMAIL', 'CALL', 'TODO'],
  lifecyclestage: ['subscriber', 'lead', 'opportunity', 'customer', 'evangelist', 'other'],
};

const GROUPS: Record<ObjectType, PropertyGroup> = {
  contacts: { name: 'contactinformation', label: 'Contact information' },
  notes: { name: 'note', label: 'Note information' },
  tasks: { name: 'task', label: 'Task information' },
};

export function builtInGroups(type: ObjectType): PropertyGroup[] {
  return [GROUPS[type]];
}

/** The vendor's own properties, as far as Forenoon could ask for them. */
export function builtInProperties(type: ObjectType): Property[] {
  return SKETCHES[type].map(([name, label, kind, isReadOnly = false]) => {
    const options = OPTIONS[name]?.map(value => ({ label: value, value })) ?? [];
    const dataType = options.length > 0 ? 'enumeration' : kind === 'html' || kind === undefined ? 'string' : kind;
    return {
      name,
      label,
      type: dataType,
      fieldType: fieldTypeOf(dataType, kind),
      groupName: GROUPS[type].name,
      description: '',
      options,
      hasUniqueValue: name === 'hs_object_id',
      isReadOnly,
    };
  });
}

function fieldTypeOf(type: Property['type'], kind: Sketch[2]): string {
  if (type === 'enumeration') return 'select';
  if (type === 'datetime') return 'date';
  return kind ?? 'text';
}

/** The properties a read returns when it names none. */
export const DEFAULT_PROPERTIES: Record<ObjectType, readonly string[]> = {
  contacts: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  notes: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  tasks: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
};
