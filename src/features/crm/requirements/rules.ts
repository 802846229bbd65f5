import type { CrmObject } from '../../../clients/crm/types.ts';
import type { Requirement } from './schema.ts';

/** Requirements without an accepted value, which keep records of a type from being written; without `type`, of any. */
export function openOf(requirements: readonly Requirement[], type?: CrmObject): Requirement[] {
  const ofType = requirements.filter(one => type === undefined || one.type === type);
  return ofType.filter(({ value, isRefused }) => value === '' || isRefused);
}
