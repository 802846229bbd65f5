import { z } from 'zod';

/**
 * Properties that the account's administrator requires and a write lacks, as the CRM reports them since `2026-09`:
 * https://developers.hubspot.com/changelog/crm-api-write-validation-enforcement
 */
export type Objection = {
  /** The internal names of properties that are required; `isConditional`: only of some records. */
  missing: { name: string; isConditional: boolean }[];
  /** The names of properties whose value it does not accept. */
  wrong: string[];
  /** The person who connected the app may not edit associations. */
  isAssociation: boolean;
};

const text = z.string().catch('');
const names = z
  .union([z.string().transform(name => [name]), z.array(z.string())])
  .catch([])
  .transform(all => all.filter(isName));
const detail = z
  .object({ code: text, context: z.object({ propertyName: names }).catch({ propertyName: [] }) })
  .catch({ code: '', context: { propertyName: [] } });
const body = z
  .object({ category: text, message: text, errors: z.array(detail).catch([]) })
  .catch({ category: '', message: '', errors: [] });

/** Older answers name the properties in a JSON list within the message. */
const named = z.array(z.object({ name: text, error: text })).catch([]);
const MAX_LIST_LENGTH = 10_000;
const MAX_OBJECTIONS = 50;

/** Undefined for any other error. @param refusal the body of an error answer, or the error of one record of a batch */
export function readObjection(refusal: unknown): Objection | undefined {
  const { category, message, errors } = body.parse(refusal);
  if (category !== 'VALIDATION_ERROR') return undefined;
  const details = errors.flatMap(({ code, context }) => context.propertyName.map(name => ({ code, name })));
  const all = (details.length > 0 ? details : parseNamedProperties(message)).slice(0, MAX_OBJECTIONS);
  const required = all.filter(({ code }) => code.includes('REQUIRED'));
  const objection = {
    missing: required.map(({ code, name }) => ({ name, isConditional: code.includes('CONDITIONAL') })),
    wrong: all.filter(one => !required.includes(one)).map(({ name }) => name),
    isAssociation: all.length === 0 && /\bedit associations\b/i.test(message.slice(0, 500)),
  };
  return all.length > 0 || objection.isAssociation ? objection : undefined;
}

function parseNamedProperties(message: string): { code: string; name: string }[] {
  const start = message.indexOf('[{');
  if (start < 0 || message.length > MAX_LIST_LENGTH) return [];
  const list = named.parse(parseJson(message.slice(start)));
  return list.filter(({ name }) => isName(name)).map(({ name, error }) => ({ code: error, name }));
}

/** Undefined for anything but JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name);
