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

/** The messenger user id is unique, so that two processes can't create the same contact twice. */
const PROPERTIES: PropertyCreate[] = [
  defineProperty('messenger_user_id', 'Telegram user id', 'string', 'text', { hasUniqueValue: true }),
  defineProperty('messenger_username', 'Telegram username', 'string', 'text'),
  defineProperty('messenger_last_sync', 'Last Telegram digest', 'datetime', 'date'),
  defineProperty('messenger_digest_count', 'Telegram digests', 'number', 'number'),
];

export function createPropertyCalls(call: Call): Pick<Crm, 'ensureProperties'> {
  const description = { name: 'create properties', kind: 'call', repeat: true, reply: anyReply } as const;
  return {
    async ensureProperties() {
      await ignoreExisting(() => call(description, sdk => sdk.crm.properties.groupsApi.create('contacts', GROUP)));
      for (const property of PROPERTIES) {
        await ignoreExisting(() => call(description, sdk => sdk.crm.properties.coreApi.create('contacts', property)));
      }
    },
  };
}

async function ignoreExisting(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (err) {
    if (!(err instanceof HttpFailure) || err.status !== 409) throw err;
  }
}

function defineProperty(
  name: string,
  label: string,
  type: `${PropertyCreateTypeEnum}`,
  fieldType: `${PropertyCreateFieldTypeEnum}`,
  more: Partial<PropertyCreate> = {},
): PropertyCreate {
  const kinds = { type: type as PropertyCreateTypeEnum, fieldType: fieldType as PropertyCreateFieldTypeEnum };
  return { name, label, groupName: GROUP.name, ...kinds, ...more };
}
