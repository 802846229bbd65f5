import type { Faults } from '../faultPlan.ts';
import { HOST, listen } from '../listen.ts';
import { createMailPages } from './app.ts';
import { openMailInbox, type SandboxMail } from './inbox.ts';
import { type MailFault, startSmtp } from './smtp.ts';

export type MailSandboxOptions = {
  /** The port of its pages. 0: any. */
  port: number;
  /** Made when missing. Holds what survives the process. */
  stateDir: string;
};

export type MailSandbox = {
  /** The address of its pages. */
  url: string;
  /** For `MAIL_URL`. */
  mailUrl: string;
  /** All mails to any recipient, oldest first. */
  mails(): readonly SandboxMail[];
  faults: Faults<MailFault>;
  stop(): Promise<void>;
};

const LOGIN = { user: 'forenoon', password: 'sandbox' };

/**
 * A local mail server that accepts mail for every address, and the pages to read it. Rejects when the port
 * is taken; throws StartError when the state is not ours.
 */
export async function startMailSandbox({ port, stateDir }: MailSandboxOptions): Promise<MailSandbox> {
  const inbox = openMailInbox(stateDir);
  const smtp = await startSmtp(inbox, LOGIN);
  const pages = await listen(createMailPages(inbox), port);
  return {
    url: pages.url,
    mailUrl: `smtp://${LOGIN.user}:${LOGIN.password}@${HOST}:${smtp.port}`,
    mails: inbox.messages,
    faults: smtp.faults,
    async stop() {
      await Promise.all([pages.stop(), smtp.stop()]);
    },
  };
}
