import type { CrmObject } from '../../../clients/crm/types.ts';
import { ADMIN_FAILURES, describeFailure } from '../../../lib/failures.ts';
import { isolated } from '../../../lib/textDirection.ts';
import { listOf, titleOf } from '../../../lib/words.ts';
import type { Requirement } from './schema.ts';

/** `“Source” for notes and “Region” for tasks`; '' for none. */
export function requiredWords(requirements: readonly Requirement[]): string {
  const byType = Map.groupBy(requirements, ({ type }) => type);
  return listOf([...byType].map(([type, ofType]) => `${listOf(ofType.map(nameWords))} for ${type}`));
}

/** `“Source”` */
function nameWords({ label, name }: Pick<Requirement, 'label' | 'name'>): string {
  return `“${isolated(label || name)}”`;
}

/** Why a note or a task waits, and where to read on. */
export type Hold = { words: string; href: string };

/** Undefined for any other failure, or for none. @param required what the account requires of such records */
export function describeHold(failure: string | null, required: readonly Requirement[]): Hold | undefined {
  const held = ADMIN_FAILURES.find(one => one === failure);
  if (!held) return undefined;
  return { words: titleOf(describeFailure(held, 1, requiredWords(required)).sentence), href: REQUIREMENTS_HREF };
}

/** The CRM's section of the settings. */
export const REQUIREMENTS_HREF = '/settings#crm';

export type ShownRequirement = {
  id: string;
  type: CrmObject;
  name: string;
  title: string;
  hint: string;
  value: string;
  options: Requirement['options'];
  mayFill: boolean;
  isFilled: boolean;
  isRefused: boolean;
  error: string | undefined;
  href: string;
};

/** A wrong value that was typed for one of them. */
export type RequirementAttempt = { type: CrmObject; name: string; value: string; error: string };

type Shown = {
  crmName: string;
  settingsUrl(type: CrmObject): string;
  attempt: RequirementAttempt | undefined;
};

/** A property and the field for what to send, as the settings show them. */
export function presentRequirement(
  requirement: Requirement,
  { crmName, settingsUrl, attempt }: Shown,
): ShownRequirement {
  const { type, name, value, options, mayFill, isRefused } = requirement;
  const isTried = attempt?.type === type && attempt.name === name;
  const isKnown = options.length === 0 || value === '' || options.some(option => option.value === value);
  return {
    ...{ type, name, mayFill, isRefused, isFilled: value !== '', id: `required-${type}-${name}` },
    title: `${crmName} requires ${nameWords(requirement)} for ${type}`,
    hint: hintOf(requirement, crmName),
    value: isTried ? attempt.value : value,
    options: isKnown ? options : [...options, { label: value, value }],
    error: isTried ? attempt.error : undefined,
    href: settingsUrl(type),
  };
}

function hintOf({ type, mayFill, value, isRefused, isConditional }: Requirement, crmName: string): string {
  if (!mayFill) {
    return `One value can’t serve for all ${type}. Fill it in where you create one, or make it optional in ${crmName}.`;
  }
  if (isRefused)
    return `${crmName} didn’t accept this value. Choose another one, or remove it if ${crmName} no longer asks for it.`;
  if (value !== '') return `Sent with all new ${type}.`;
  const some = isConditional ? `some ${type}` : `new ${type}`;
  return `Until you say what to send, ${some} wait. Or make it optional in ${crmName}.`;
}
