import { createAiSlots } from '../../../../src/features/base/aiSlots/service.ts';
import { createDatabase } from '../../../../src/lib/db.ts';
import { createLog } from '../../../../src/lib/log.ts';

/* A process of its own that takes a slot, says so, and keeps it until it is killed: node holdSlot.ts DATABASE_URL LEASE_SECONDS */

const [url = '', seconds = ''] = process.argv.slice(2);
const log = createLog({ level: 'silent', name: 'holder' });
const inSlot = createAiSlots({ db: createDatabase(url, { pool: 1 }), log, maxSlots: 1, leaseSeconds: Number(seconds) });
await inSlot(async () => {
  process.stdout.write('taken\n');
  await new Promise<void>(() => setInterval(() => undefined, 1000));
}, new AbortController().signal);
