import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { StartError } from '../../src/lib/startError.ts';

const sandboxMail = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  /** Of the envelope: where it went, whatever its headers say. */
  to: z.array(z.string()),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** As it came over the wire. */
  source: z.string(),
});

/** A mail as it lies in somebody's inbox. */
export type SandboxMail = z.output<typeof sandboxMail>;

type Envelope = Pick<SandboxMail, 'from' | 'to'>;
export type ReadMail = Omit<SandboxMail, 'id' | 'at' | keyof Envelope>;

export type MailInbox = {
  /** Oldest first. */
  mails(): readonly SandboxMail[];
  add(envelope: Envelope, mail: ReadMail): void;
};

const MOST_KEPT = 200;

/** The newest mails, over a restart, too. Throws {@link StartError} when the file is not ours. */
export function openMailInbox(stateDir: string): MailInbox {
  const file = join(stateDir, 'mails.json');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  let mails = existsSync(file) ? readMails(file) : [];
  return {
    mails: () => mails,
    add(envelope, mail) {
      const added = { id: (mails.at(-1)?.id ?? 0) + 1, at: new Date().toISOString(), ...envelope, ...mail };
      mails = [...mails, added].slice(-MOST_KEPT);
      writeFileAtomic.sync(file, JSON.stringify(mails), { mode: 0o600, fsync: false });
    },
  };
}

export async function readMail(source: Buffer): Promise<ReadMail> {
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(source);
  return {
    subject,
    text,
    html,
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    source: source.toString('utf8'),
  };
}

function readMails(file: string): SandboxMail[] {
  try {
    return z.array(sandboxMail).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(`${file} can't be read. Remove it to begin with an empty inbox.`);
  }
}
