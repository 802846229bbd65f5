import { parseArgs } from 'node:util';
import { benchClaim } from './claim.ts';
import { benchCost } from './cost.ts';
import { benchSyncs } from './syncs.ts';

/*
 * The daily schedule: all users due in the same minute, four workers queueing them while a visitor opens pages; what
 * one user costs among many and among few; then syncs of accounts in which one conversation changed, by one, two and
 * four workers.
 *
 *   node bench/schedule/index.ts
 *   node bench/schedule/index.ts --users 10000 --no-sync
 */

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    claim: { type: 'boolean', default: true },
    cost: { type: 'boolean', default: true },
    sync: { type: 'boolean', default: true },
    syncs: { type: 'string', default: '2000' },
  },
  allowNegative: true,
});
const USERS = Number(values.users);

if (values.claim) await benchClaim(USERS);
if (values.cost) await benchCost(USERS);
if (values.sync) await benchSyncs(Number(values.syncs));
