import { createAiPlaces } from '../../../../src/features/messenger/aiPlaces/service.ts';
import { createDatabase } from '../../../../src/lib/db.ts';
import { createLog } from '../../../../src/lib/log.ts';

/* A process of its own that takes a place, says so, and keeps it until it is killed: node holdPlace.ts DATABASE_URL LEASE_MS */

const [url = '', leaseMs = ''] = process.argv.slice(2);
const log = createLog({ level: 'silent', name: 'holder' });
const inPlace = createAiPlaces({ db: createDatabase(url, { pool: 1 }), log, most: 1, leaseMs: Number(leaseMs) });
await inPlace(async () => {
  process.stdout.write('taken\n');
  await new Promise<void>(() => setInterval(() => undefined, 1000));
}, new AbortController().signal);
