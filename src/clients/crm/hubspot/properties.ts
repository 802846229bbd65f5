import type {
  PropertyCreate,
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import type { Crm } from '../types.ts';
import type { Call } from './calls.ts';
import { HttpFailure } from './failures.ts';
import { anyReply } from './replies.ts';

const GROUP = { name: 'telegram', label: 'Telegram' };

/** A messenger user id is unique to one contact, so that two of our processes can't make the same contact twice. */
const PROPERTIES: PropertyCreate[] = [
  property('messenger_user_id', 'Telegram user id', 'string', 'text', { hasUniqueValue: true }),
  property('messenger_username', 'Telegram username', 'string', 'text'),
  property('messenger_last_sync', 'Last Telegram digest', 'datetime', 'date'),
  property('messenger_digest_count', 'Telegram digests', 'number', 'number'),
];

export function propertyCalls(call: Call): Pick<Crm, 'ensureProperties'> {
  const about = { name: 'create properties', kind: 'call', repeat: true, reply: anyReply } as const;
  return {
    async ensureProperties() {
      await unlessThere(() => call(about, sdk => sdk.crm.properties.groupsApi.create('contacts', GROUP)));
      for (const property of PROPERTIES) {
        await unlessThere(() => call(about, sdk => sdk.crm.properties.coreApi.create('contacts', property)));
      }
    },
  };
}

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (err) {
    if (!(err instanceof HttpFailure) || err.status !== 409) throw err;
  }
}

function property(
  name: string,
  label: string,
  type: `${PropertyCreateTypeEnum}`,
  fieldType: `${PropertyCreateFieldTypeEnum}`,
  more: Partial<PropertyCreate> = {},
): PropertyCreate {
  const kinds = { type: type as PropertyCreateTypeEnum, fieldType: fieldType as PropertyCreateFieldTypeEnum };
  return { name, label, groupName: GROUP.name, ...kinds, ...more };
}
