import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxMail } from '../../sandbox/mail/inbox.ts';
import { type MailSandbox, startMailSandbox } from '../../sandbox/mail/server.ts';
import { until } from './until.ts';

export type TestMail = MailSandbox & {
  /** The newest mail to an address, once that has got this many (default 1). */
  waitForMail(to: string, count?: number): Promise<SandboxMail>;
};

/** A mail server, and what leads the service to it. */
export async function startMail(): Promise<{ mail: TestMail; env: Record<string, string> }> {
  const stateDir = mkdtempSync(join(tmpdir(), 'forenoon-mail-'));
  const sandbox = await startMailSandbox({ port: 0, stateDir });
  const mail: TestMail = {
    ...sandbox,
    waitForMail: (to, count = 1) => waitForMail(sandbox, to, count),
    async stop() {
      await sandbox.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
  return { mail, env: { MAIL_URL: sandbox.mailUrl, MAIL_FROM: 'Forenoon <hello@forenoon.example>' } };
}

async function waitForMail(sandbox: MailSandbox, to: string, count: number): Promise<SandboxMail> {
  const arrived = () => sandbox.mails().filter(mail => mail.to.includes(to));
  await until(() => arrived().length >= count);
  return arrived().at(-1) as SandboxMail;
}

/** The token of the link in a sign-in mail. */
export function tokenIn(mail: SandboxMail): string {
  const token = /\/auth\/confirm\?token=([\w-]+)/.exec(mail.text)?.[1];
  if (!token) throw new Error('there is no sign-in link in this mail');
  return token;
}
