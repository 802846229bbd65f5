import { parseArgs } from 'node:util';
import { calmRun } from './calm.ts';
import { chaosRun } from './chaos.ts';

/*
 * The notes of 250 conversations in the CRM: the calls of an undisturbed sync, and whether the CRM has every note once
 * when the CRM and the workers fail all the time. Ends with 1 on a breach.
 *
 *   node bench/crm/index.ts
 *   node bench/crm/index.ts --kills 0          the calm run alone
 *   node bench/crm/index.ts --calm no --kills 5
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '30' },
    calm: { type: 'string', default: 'yes' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string', default: process.env.BENCH_DATA ?? '../shared/data' },
  },
});

let isGood = true;
if (values.calm === 'yes') isGood = await calmRun(values.data);
if (Number(values.kills) > 0) {
  isGood = (await chaosRun({ kills: Number(values.kills), seed: Number(values.seed) })) && isGood;
}
process.exitCode = isGood ? 0 : 1;
