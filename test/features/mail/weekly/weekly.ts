import { queueWeekMails } from '../../../../src/features/mail/weekly/service.ts';
import { addDays } from '../../../../src/lib/timezones.ts';
import { post } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService } from '../../../support/service.ts';
import { untilJobsEnd } from '../../../support/skipPauses.ts';
import { storeAccount, storeDigest, storedItem } from '../../pages/today/stored.ts';

/** A Wednesday, and the Monday of its week. */
export const NOW = new Date('2026-11-25T10:00:00Z');
export const MONDAY = '2026-11-23';
export const FRIDAY = 5;
export const NORA = 'nora@example.com';
export const HOUR_MS = 3_600_000;
/** As `MONDAY` is 0. */
export const due = (words: string, days: number) => storedItem(words, { dueDate: addDays(MONDAY, days) });

/** The service with a mail server and Nora, who has an account, on a Wednesday; what may happen to her week. */
export async function startWeekly() {
  const service = await startService({ mail: true });
  const nora = await join(service, NORA);
  return {
    service,
    nora,
    join: (email: string) => join(service, email),
    /** From now on it is this moment. */
    goTo: (moment: string) => service.clock.advance(Date.parse(moment) - service.clock.now().getTime()),
    choose: (day: number, hour: number, { agent } = nora) =>
      post(agent, '/settings/week-mail', { weekMail: 'on', weekMailDay: `${day}`, weekMailHour: `${hour}` }),
    turnOff: ({ agent } = nora) => post(agent, '/settings/week-mail', { weekMailDay: '5', weekMailHour: '16' }),
    store: (name: string, actionItems: ReturnType<typeof storedItem>[] = [], more: object = {}, of = nora) =>
      storeDigest(service.db, of, { name, day: MONDAY, structured: { actionItems }, ...more }),
    keep: async (words: string) => {
      const { id } = await service.db('promises').where({ words }).first('id');
      await post(nora.agent, `/promises/${id}`, { action: 'done', back: '/week' });
    },
    mails: (to = NORA) => service.mail.mails().filter(mail => mail.to.includes(to)),
    /** What a worker does every few minutes, and all it leads to. */
    tick: async () => {
      await queueWeekMails(service.worker());
      await untilJobsEnd(service.db, 'week-mail');
    },
    atRest: () => untilJobsEnd(service.db, 'week-mail'),
  };
}

export type Weekly = Awaited<ReturnType<typeof startWeekly>>;

async function join(service: Service, email: string) {
  service.clock.advance(NOW.getTime() - service.clock.now().getTime());
  const agent = await signIn(service, email);
  return { agent, ...(await storeAccount(service.db, email)) };
}
