import { once } from 'node:events';
import { loadConfig } from '../../../src/config.ts';
import { createDeps } from '../../../src/deps.ts';
import { findCrm } from '../../../src/features/crm/service.ts';

/*
 * A process of the service that asks a user's CRM: `asker.ts USER WHAT HOW_OFTEN`. Says when it is ready, and asks all
 * at once as soon as anything comes in. Prints what went wrong and how long it took.
 */

const [userId = '', what = '', howOften = ''] = process.argv.slice(2);
const deps = await createDeps(loadConfig(), 'web');
const found = await findCrm(deps, { userId });
if (!found) throw new Error('the CRM is not connected');
const { crm } = found;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const began = Date.now();
const asked = await Promise.allSettled(
  Array.from({ length: Number(howOften) }, () =>
    what === 'search' ? crm.searchContacts({ groups: [[{ field: 'firstName', any: ['nadia'] }]] }) : crm.readContacts(['1']),
  ),
);
const errors = asked.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : []));
process.stdout.write(`${JSON.stringify({ errors, took: Date.now() - began })}\n`);
await deps.close();
process.exit();
