import type { CrmObject } from '../../clients/crm/types.ts';
import type { Requirement } from './schema.ts';

/** What keeps records of a kind from being written, since nothing is sent for it that the CRM takes; without one, of any kind. */
export function openOf(requirements: readonly Requirement[], type?: CrmObject): Requirement[] {
  const ofType = requirements.filter(one => type === undefined || one.type === type);
  return ofType.filter(({ value, isRefused }) => value === '' || isRefused);
}
