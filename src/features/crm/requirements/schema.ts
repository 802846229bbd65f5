import { z } from 'zod';
import { CRM_OBJECTS } from '../../../clients/crm/types.ts';
import { rowReader } from '../../../lib/rows.ts';

const requirement = z.object({
  type: z.enum(CRM_OBJECTS),
  /** The property's internal name there. */
  name: z.string(),
  /** As people see it there; '' if the CRM did not say. */
  label: z.string(),
  options: z.array(z.object({ label: z.string(), value: z.string() })),
  mayFill: z.boolean(),
  isConditional: z.boolean(),
  /** What the person wants sent for it, or ''. */
  value: z.string(),
  /** The CRM did not accept that value. */
  isRefused: z.boolean(),
});
export const requirementRow = rowReader(requirement, { object_type: 'type' });

/** A property that the user's CRM account requires of a kind of record. */
export type Requirement = z.output<typeof requirement>;

export const requirementKey = z.object({ type: z.enum(CRM_OBJECTS), name: z.string().max(100) });
export type RequirementKey = z.output<typeof requirementKey>;

/** What is to be sent. Only the CRM can say whether it accepts it. */
export const requirementValue = z
  .string()
  .trim()
  .min(1, 'Enter a value.')
  .max(1000, 'A value has at most 1,000 characters here.')
  .regex(/^\P{Cc}*$/u, 'This contains an invalid character.');
