import type { SandboxMail } from '../../../../sandbox/mail/inbox.ts';
import { sendDigestMail } from '../../../../src/features/mail/daily/sendDigestMail.ts';
import type { DigestMailPayload } from '../../../../src/features/sync/schema.ts';
import { queueDailySyncs } from '../../../../src/features/sync/service.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, connectMessenger, finished, type SyncStatus, signIn } from '../../../support/people.ts';
import { type Service, startService } from '../../../support/service.ts';
import { untilJobsEnd } from '../../../support/skipPauses.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';

export const NORA = 'nora@example.com';
export const OLU = person(2000, { firstName: 'Olu', lastName: 'Adeyemi', phone: '+34600111333' });
export const HOSTILE = '<script>alert("Unsubscribe")</script>';
export const HOUR_MS = 3_600_000;

export type Reader = { agent: Agent; userId: string };

/** One conversation, named by whoever writes in it. */
export function worldOf(key: string, account: typeof owner, peerId: number, peer: string) {
  const users = [person(peerId, { firstName: peer })];
  const messages = [message(peerId, { from: peerId, text: 'The photos of the fair have come.' })];
  return world({ key, owner: account, users, dialogs: [dialog(`user:${peerId}`, messages)] });
}

/** The service with a mail server, Nora, whose conversation is with Wilhelmina, and what may happen to her digests. */
export async function startMailing() {
  const worlds = [worldOf('nora', owner, 5001, 'Wilhelmina'), worldOf('olu', OLU, 6001, HOSTILE)];
  const service = await startService({ worlds, mail: true, env: { RATE_LIMIT_CONNECT: '50' } });
  const nora = await join(service, NORA, owner.phone);
  const { userId } = nora;
  return {
    service,
    nora,
    join: (email: string, phone: string | null) => join(service, email, phone),
    choose: (mode: string, { agent } = nora) => post(agent, '/settings/mail', { mailDigests: mode }).expect(303),
    write: (text: string) => service.sandbox.addMessages('nora', 'user:5001', [{ from: 5001, text }]),
    mails: (to = NORA): SandboxMail[] => service.mail.mails().filter(mail => mail.to.includes(to)),
    mailsAtRest: () => untilJobsEnd(service.db, 'digest-mail'),
    dailySync: (of = nora) => dailySync(service, of),
    send: (details: Partial<DigestMailPayload> = {}) => send(service, userId, details),
  };
}

export type Mailing = Awaited<ReturnType<typeof startMailing>>;

export function headerOf(mail: SandboxMail | undefined, name: string): string {
  return mail?.headers.find(header => header.name.toLowerCase() === name.toLowerCase())?.value ?? '';
}

async function join(service: Service, email: string, phone: string | null): Promise<Reader> {
  const agent = await signIn(service, email);
  await connectMessenger(service, agent, phone ?? '');
  return { agent, userId: (await agent.get('/api/auth/session')).body.user.id };
}

/** Each time the next daily sync of this user, and the end of every mail it leads to. */
async function dailySync(service: Service, { agent, userId }: Reader): Promise<SyncStatus> {
  const { next_sync_at: due } = await service.db('sync_configs').where({ user_id: userId }).first();
  await queueDailySyncs({ ...service.worker(), clock: { now: () => due } }, { spreadSeconds: 0 });
  const { id } = await service.db('sync_jobs').where({ user_id: userId }).orderBy('created_at', 'desc').first();
  const status = await finished(agent, id);
  await untilJobsEnd(service.db, 'digest-mail');
  return status;
}

/** Sends as the job does, for the newest day. */
async function send(service: Service, userId: string, details: Partial<DigestMailPayload>): Promise<void> {
  const worker = service.worker();
  const { day } = await service
    .db('digests')
    .where({ user_id: userId })
    .first(service.db.raw(`to_char(max(digest_date), 'YYYY-MM-DD') as day`));
  const payload = { userId, jobId: 'none', day, askedAt: service.clock.now().toISOString(), ...details };
  return sendDigestMail(worker, payload);
}
