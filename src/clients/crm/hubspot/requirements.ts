import { type CrmAccess, type CrmObject, type CrmRefusal, PropertyRequired, type RequiredProperty } from '../types.ts';
import type { Call } from './calls.ts';
import { classifyRefusal, HttpFailure } from './failures.ts';
import type { Objection } from './objections.ts';
import { propertyReply } from './replies.ts';

/** Sends what the account requires, as far as the person said what to send, and learns what it requires. */
export type Requirements = {
  /** Values sent with every new record of this type. */
  valuesFor(type: CrmObject): Promise<Record<string, string>>;
  /** Sends a refused record once more, with what the person said to send. Returns the failure left, if any. */
  complete(
    type: CrmObject,
    failure: HttpFailure,
    send: (required: Record<string, string>) => Promise<void>,
  ): Promise<HttpFailure | undefined>;
  /** Why a record was refused. A value that the person chose but the CRM does not accept still counts as missing. */
  reasonOf(type: CrmObject, failure: RefusedRecord): CrmRefusal;
  /** Learns from new records: why some were refused, and which properties one that was accepted had. */
  learn(type: CrmObject, outcome: { refused?: readonly RefusedRecord[]; accepted?: object | undefined }): Promise<void>;
};

type RefusedRecord = { category: string; status?: number; objection: Objection | undefined };
type KnownProperties = Map<string, { label: string; value: string }>;
type WantedProperty = { isConditional: boolean; isRefused: boolean };

/** An answer that seems to require more properties at once is misread. */
const MAX_REQUIREMENTS = 20;

export function requirementsOf({ requirements: book }: CrmAccess, call: Call): Requirements {
  const knownTo = new Map<CrmObject, KnownProperties>();
  const load = async (type: CrmObject) => {
    const known: KnownProperties = new Map(((await book?.list(type)) ?? []).map(({ name, ...about }) => [name, about]));
    knownTo.set(type, known);
    return known;
  };
  const filled = (known: KnownProperties) =>
    [...known].flatMap(([name, { value }]) => (value === '' ? [] : [[name, value]]));
  const isSent = (type: CrmObject, name: string) => Boolean(knownTo.get(type)?.get(name)?.value);

  return {
    valuesFor: async type => Object.fromEntries(filled(await load(type))),

    async complete(type, failure, send) {
      const missing = new Set(failure.objection?.missing.map(({ name }) => name));
      if (missing.size === 0) return failure;
      const known = filled(await load(type)).filter(([name = '']) => missing.has(name));
      if (known.length === 0) return failure;
      try {
        await send(Object.fromEntries(known));
        return undefined;
      } catch (err) {
        if (err instanceof HttpFailure) return err;
        throw err;
      }
    },

    reasonOf(type, failure) {
      const isOurs = failure.objection?.wrong.some(name => isSent(type, name));
      return isOurs ? 'CRM_PROPERTY_REQUIRED' : classifyRefusal(failure);
    },

    async learn(type, { refused = [], accepted }) {
      if (!book) return;
      const known = knownTo.get(type);
      const required = wantedBy(refused, name => isSent(type, name));
      if (required.size > 0) {
        const described = [...required].map(async ([name, about]) => {
          // Options may have changed if the CRM refused a value.
          const isDescribed = known?.get(name)?.label && !about.isRefused;
          return { ...(isDescribed ? UNKNOWN : await describeProperty(call, type, name)), name, ...about };
        });
        await book.learn(type, await Promise.all(described));
      } else if (accepted && known && known.size > 0) await book.release(type, Object.keys(accepted));
    },
  };
}

/** The failure of one record, in terms of the account's own rules where it is about them. */
export function explain(requirements: Requirements, type: CrmObject, failure: HttpFailure): Error {
  if (requirements.reasonOf(type, failure) !== 'CRM_PROPERTY_REQUIRED') return failure;
  const { missing = [], wrong = [] } = failure.objection ?? {};
  return new PropertyRequired([...missing.map(({ name }) => name), ...wrong]);
}

function wantedBy(refused: readonly RefusedRecord[], isSent: (name: string) => boolean): Map<string, WantedProperty> {
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
  const about = { name: 'read property', kind: 'call', repeat: true, reply: propertyReply } as const;
  const isEmail = name === 'email';
  try {
    const { label, options, hasUniqueValue } = await call(about, sdk => sdk.crm.properties.coreApi.getByName(type, name));
    return { label, options, mayFill: !hasUniqueValue && !isEmail };
  } catch (err) {
    if (err instanceof HttpFailure) return { ...UNKNOWN, mayFill: !isEmail };
    throw err;
  }
}
