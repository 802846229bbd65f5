import type { CrmRecord, Property, Requirement } from './records.ts';
import { invalid, Refusal } from './refusals.ts';
import type { CrmState, Portal } from './state.ts';

/**
 * What an administrator requires of everyone who writes, and how a write that lacks it is answered since `2026-09`:
 * https://developers.hubspot.com/changelog/crm-api-write-validation-enforcement
 */

export type NewRequirement = Omit<Requirement, 'when'> & {
  when?: Requirement['when'];
  /** The label of a property that is created with it; by default the name. */
  label?: string;
  options?: readonly string[];
};

/** Makes a property required, and creates it if there is none. */
export function requireProperty(state: CrmState, portal: Portal, { label, options, ...asked }: NewRequirement): void {
  const { type, name, when = null } = asked;
  if (!portal.properties[type].has(name)) {
    state.saveProperty(portal, type, newProperty({ name, label: label || name, options: options ?? [] }));
  }
  const others = portal.rules.required.filter(one => one.type !== type || one.name !== name);
  state.saveRules(portal, { ...portal.rules, required: [...others, { type, name, when }] });
}

function newProperty({ name, label, options }: { name: string; label: string; options: readonly string[] }): Property {
  const kind = options.length > 0 ? { type: 'enumeration' as const, fieldType: 'select' } : undefined;
  return {
    ...{ name, label, groupName: 'custom', description: '', hasUniqueValue: false, isReadOnly: false },
    ...(kind ?? { type: 'string', fieldType: 'text' }),
    options: options.map(value => ({ label: value, value })),
  };
}

export function releaseProperty(state: CrmState, portal: Portal, about: Pick<Requirement, 'type' | 'name'>): void {
  const required = portal.rules.required.filter(one => one.type !== about.type || one.name !== about.name);
  state.saveRules(portal, { ...portal.rules, required });
}

/** Whether the person who connected the app may edit associations. */
export function refuseAssociations(state: CrmState, portal: Portal, refusesAssociations: boolean): void {
  state.saveRules(portal, { ...portal.rules, refusesAssociations });
}

/** Throws the vendor's refusal when a property is missing that is required of such a record. */
export function requireComplete(portal: Portal, { type, properties }: CrmRecord, { isNew }: { isNew: boolean }): void {
  const missing = portal.rules.required.filter(({ name, when, ...one }) => {
    const applies = when ? properties[when.property] === when.value : isNew;
    return one.type === type && applies && !properties[name];
  });
  if (missing.length > 0) {
    throw invalid('The property values provided are invalid', { errors: missing.map(errorOf) });
  }
}

function errorOf({ name, when }: Requirement) {
  const context = { propertyName: [name] };
  if (!when) return { code: 'MISSING_REQUIRED_PROPERTY', message: `A value for ${name} must be provided`, context };
  const message = `${name} is required because of a conditional property rule based on [${when.property}]`;
  return { code: 'MISSING_CONDITIONAL_REQUIRED_PROPERTY', message, context };
}

/** Throws the vendor's refusal when the person may not edit associations. It is a 400, not a 403. */
export function requireAssociable({ rules }: Portal): void {
  if (!rules.refusesAssociations) return;
  throw new Refusal(400, { message: "Missing 'Edit Associations' permission.", category: 'VALIDATION_ERROR' });
}

const KEY_SCOPES = ['objects', 'schemas'].flatMap(what => [`crm.${what}.contacts.read`, `crm.${what}.contacts.write`]);

/** Creates a service key: it opens this account without being any person's, until it is revoked. */
export function addKey(state: CrmState, portal: Portal, token: string, scopes: readonly string[] = KEY_SCOPES): void {
  state.saveKey({ token, portalId: portal.id, scopes: [...scopes], isRevoked: false });
}

export function revokeKey(state: CrmState, token: string): void {
  const key = state.keys.get(token);
  if (key) state.saveKey({ ...key, isRevoked: true });
}
