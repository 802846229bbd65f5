import { join } from 'node:path';
import { type MailSandbox, startMailSandbox } from './mail/server.ts';
import { portFor } from './ports.ts';

/** The mail server for a machine without one. */
export type OpenMail = {
  sandbox: MailSandbox;
  /** The environment that leads the mailer to it. */
  variables: Record<string, string>;
};

const FROM = 'Forenoon <hello@forenoon.test>';

export async function openMail(wantedPort: number, dataDir: string, say: (line: string) => void): Promise<OpenMail> {
  const sandbox = await startMailSandbox({
    port: await portFor('the mail sandbox', wantedPort, say),
    stateDir: join(dataDir, 'sandbox', 'mail'),
  });
  return { sandbox, variables: { MAIL_URL: sandbox.mailUrl, MAIL_FROM: FROM } };
}
