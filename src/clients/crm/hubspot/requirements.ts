import { type CrmAccess, type CrmObject, type CrmRefusal, PropertyRequired, type RequiredProperty } from '../types.ts';
import type { Call } from './calls.ts';
import { classifyRefusal, HttpFailure } from './failures.ts';
import type { Objection } from './objections.ts';
import { propertyReply } from './replies.ts';

/** Tracks which properties the account requires, and supplies the values that the user chose for them. */
export type Requirements = {
  /** Values sent with every new record of this type. */
  loadValues(type: CrmObject): Promise<Record<string, string>>;
  /** Sends a refused record once more with the user's values for the missing properties. Returns the remaining failure. */
  complete(
    type: CrmObject,
    failure: HttpFailure,
    send: (required: Record<string, string>) => Promise<void>,
  ): Promise<HttpFailure | undefined>;
  /** Why a record was refused. A value that the person chose but the CRM does not accept still counts as missing. */
  findRefusalReason(type: CrmObject, failure: RefusedRecord): CrmRefusal;
  /** Learns from new records: why some were refused, and which properties one that was accepted had. */
  learn(type: CrmObject, outcome: { refused?: readonly RefusedRecord[]; accepted?: object | undefined }): Promise<void>;
};

type RefusedRecord = { category: string; status?: number; objection: Objection | undefined };
type KnownProperties = Map<string, { label: string; value: string }>;
type WantedProperty = { isConditional: boolean; isRefused: boolean };

/** Further properties are ignored: an answer that lists more was probably misread. */
const MAX_REQUIREMENTS = 20;

export function createRequirements({ requirementBook }: CrmAccess, call: Call): Requirements {
  const knownTo = new Map<CrmObject, KnownProperties>();
  const load = async (type: CrmObject) => {
    const knownProperties: KnownProperties = new Map(
      ((await requirementBook?.list(type)) ?? []).map(({ name, ...details }) => [name, details]),
    );
    knownTo.set(type, knownProperties);
    return knownProperties;
  };
  const listFilledValues = (knownProperties: KnownProperties) =>
    [...knownProperties].flatMap(([name, { value }]) => (value === '' ? [] : [[name, value]]));
  const isSent = (type: CrmObject, name: string) => Boolean(knownTo.get(type)?.get(name)?.value);

  return {
    loadValues: async type => Object.fromEntries(listFilledValues(await load(type))),

    async complete(type, failure, send) {
      const missing = new Set(failure.objection?.missing.map(({ name }) => name));
      if (missing.size === 0) return failure;
      const knownProperties = listFilledValues(await load(type)).filter(([name = '']) => missing.has(name));
      if (knownProperties.length === 0) return failure;
      try {
        await send(Object.fromEntries(knownProperties));
        return undefined;
      } catch (err) {
        if (err instanceof HttpFailure) return err;
        throw err;
      }
    },

    findRefusalReason(type, failure) {
      const isOurs = failure.objection?.wrong.some(name => isSent(type, name));
      return isOurs ? 'CRM_PROPERTY_REQUIRED' : classifyRefusal(failure);
    },

    async learn(type, { refused = [], accepted }) {
      if (!requirementBook) return;
      const knownProperties = knownTo.get(type);
      const required = collectRequirements(refused, name => isSent(type, name));
      if (required.size > 0) {
        const described = [...required].map(async ([name, details]) => {
          // Options may have changed if the CRM refused a value.
          const isDescribed = knownProperties?.get(name)?.label && !details.isRefused;
          return { ...(isDescribed ? UNKNOWN : await describeProperty(call, type, name)), name, ...details };
        });
        await requirementBook.learn(type, await Promise.all(described));
      } else if (accepted && knownProperties && knownProperties.size > 0)
        await requirementBook.release(type, Object.keys(accepted));
    },
  };
}

/** The failure itself, or {@link PropertyRequired} if a property that the account requires was missing or refused. */
export function toRefusalError(requirements: Requirements, type: CrmObject, failure: HttpFailure): Error {
  if (requirements.findRefusalReason(type, failure) !== 'CRM_PROPERTY_REQUIRED') return failure;
  const { missing = [], wrong = [] } = failure.objection ?? {};
  return new PropertyRequired([...missing.map(({ name }) => name), ...wrong]);
}

function collectRequirements(
  refused: readonly RefusedRecord[],
  isSent: (name: string) => boolean,
): Map<string, WantedProperty> {
  const required = new Map<string, WantedProperty>();
  for (const { objection } of refused) {
    for (const { name, isConditional } of objection?.missing ?? []) {
      required.set(name, { isConditional, isRefused: false });
    }
    for (const name of objection?.wrong.filter(isSent) ?? []) {
      required.set(name, { isConditional: false, isRefused: true });
    }
  }
  return new Map([...required].slice(0, MAX_REQUIREMENTS));
}

type Described = Pick<RequiredProperty, 'label' | 'options' | 'mayFill'>;
const UNKNOWN: Described = { label: '', options: [], mayFill: true };

/** Falls back to the property's internal name. */
async function describeProperty(call: Call, type: CrmObject, name: string): Promise<Described> {
  const description = { name: 'read property', kind: 'call', repeat: true, reply: propertyReply } as const;
  const isEmail = name === 'email';
  try {
    const { label, options, hasUniqueValue } = await call(description, sdk =>
      sdk.crm.properties.coreApi.getByName(type, name),
    );
    return { label, options, mayFill: !hasUniqueValue && !isEmail };
  } catch (err) {
    if (err instanceof HttpFailure) return { ...UNKNOWN, mayFill: !isEmail };
    throw err;
  }
}
