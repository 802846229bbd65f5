import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DIGEST_STATUSES } from '../../digests/schema.ts';
import type { Snapshot } from './service.ts';

const PREFIX = 'forenoon_';
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route pattern and status.',
    labelNames: ['method', 'route', 'status_code'],
    buckets: SECONDS,
    registers: [register],
  });
  const digests = new Gauge({
    name: `${PREFIX}digests_24h`,
    help: 'Digests begun in the last 24 hours, by status.',
    labelNames: ['status'],
    registers: [register],
  });
  const gauges = createGauges(register);
  return {
    observe: ({ method, route, status, seconds }: { method: string; route: string; status: number; seconds: number }) =>
      requests.observe({ method, route, status_code: String(status) }, seconds),
    contentType: register.contentType,
    /** Prometheus text format. Request and process metrics cover this process, others the whole service. */
    text: (snapshot: Snapshot) => {
      for (const { gauge, read } of gauges) gauge.set(read(snapshot));
      for (const status of DIGEST_STATUSES) digests.set({ status }, snapshot.digestsIn24h[status]);
      return register.metrics();
    },
  };
}

type ReadValue = (snapshot: Snapshot) => number;

function createGauges(register: Registry): { gauge: Gauge; read: ReadValue }[] {
  const gauges: [name: string, help: string, read: ReadValue][] = [
    ['users', 'All users.', ({ users }) => users.total],
    ['paying_users', 'Users with a live subscription.', ({ users }) => users.paying],
    ['queue_waiting_jobs', 'Jobs ready to run and waiting for a worker.', ({ queue }) => queue.waiting],
    ['queue_active_jobs', 'Jobs that are being worked on.', ({ queue }) => queue.active],
    ['queue_oldest_waiting_seconds', 'How long the oldest of these has waited.', ({ queue }) => queue.oldestWaitingSeconds],
    ['workers_alive', 'Workers that reported in the last three minutes.', ({ workers }) => workers.alive],
    ['workers_silent', 'Workers that stopped reporting.', ({ workers }) => workers.silent],
    ['overdue_syncs', 'Syncs that have waited too long, are stuck or are not queued.', ({ overdueSyncs }) => overdueSyncs],
    ['unqueued_syncs', 'Of these, the syncs that no worker has queued.', ({ unqueuedSyncs }) => unqueuedSyncs],
    ['syncs_2h', 'Syncs that ended in the last two hours.', ({ recent }) => recent.syncs],
    ['troubled_syncs_2h', 'Of these, the syncs that failed or ended with errors.', ({ recent }) => recent.incompleteSyncs],
    ['api_tokens', 'Tokens that work now.', ({ apps }) => apps.tokens],
    ['assistant_tokens', 'Of these, the tokens for assistants.', ({ apps }) => apps.assistants],
    ['calendar_feeds', 'Calendar feeds that are turned on.', ({ apps }) => apps.feeds],
    ['database_seconds', 'How long the simplest query takes.', ({ databaseMs }) => databaseMs / 1000],
  ];
  return gauges.map(([name, help, read]) => {
    return { gauge: new Gauge({ name: PREFIX + name, help, registers: [register] }), read };
  });
}
