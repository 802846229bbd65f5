import type { JobHandler } from '../../../lib/queue.ts';
import { endScan } from './endScan.ts';
import { endScanPayload } from './schema.ts';

export function endScanJob(deps: Parameters<typeof endScan>[0]): JobHandler {
  return async ({ data }) => endScan(deps, endScanPayload.parse(data));
}
