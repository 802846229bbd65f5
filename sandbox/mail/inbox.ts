import PostalMime from 'postal-mime';
import { z } from 'zod';
import { type Arrived, type Inbox, openInbox } from '../inbox.ts';

const mailContent = z.object({
  /** The recipients of the envelope, whatever the headers say. */
  to: z.array(z.string()),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Raw source. */
  source: z.string(),
});
type MailContent = z.output<typeof mailContent>;

/** A mail in the inbox. */
export type SandboxMail = Arrived<MailContent>;
export type MailInbox = Inbox<MailContent>;

/** Throws {@link StartError} when the file is not ours. */
export function openMailInbox(stateDir: string): MailInbox {
  return openInbox('mails', stateDir, mailContent, 'an empty inbox');
}

/** A mail without its envelope. */
export async function readMail(source: Buffer): Promise<Omit<MailContent, 'from' | 'to'>> {
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(source);
  return {
    subject,
    text,
    html,
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    source: source.toString('utf8'),
  };
}
