import { isIP } from 'node:net';

/** An SMTP error reply. */
export class MailRefusal extends Error {
  /** The library reads the status from this field. */
  readonly responseCode: number;

  constructor(status: number, words: string) {
    super(words);
    this.responseCode = status;
  }
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** RFC 2606 reserves it, so that no mail server exists for it; `.example` and `.test` are for trying things out. */
const NO_MAIL = /\.invalid$/i;

/** Throws {@link MailRefusal}. Accepts what all servers agree on (RFC 5321), without the rare forms. */
export function checkAddress(address: string): void {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const labels = domain.split('.');
  const isAddress =
    at > 0 &&
    local.length <= 64 &&
    address.length <= 254 &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every(label => LABEL.test(label)) &&
    isIP(domain) === 0;
  if (!isAddress) throw new MailRefusal(553, '5.1.3 The recipient address is not valid');
  if (NO_MAIL.test(domain)) throw new MailRefusal(550, '5.1.2 There is no such domain');
}

const ONCE = ['from', 'to', 'subject', 'date', 'message-id', 'reply-to', 'sender'];
const MAX_LINE = 998;

type Sent = { envelopeFrom: string; headers: readonly { name: string; value: string }[]; source: Buffer };

/** Throws {@link MailRefusal} for what large providers reject: broken, ambiguous or false headers. */
export function checkMail({ envelopeFrom, headers, source }: Sent): void {
  const valuesOf = (name: string) => headers.filter(header => header.name.toLowerCase() === name);
  for (const name of ['from', 'date', 'message-id']) {
    if (valuesOf(name).length === 0) throw new MailRefusal(550, `5.7.1 The mail has no ${name} header`);
  }
  for (const name of ONCE) {
    if (valuesOf(name).length > 1) throw new MailRefusal(550, `5.7.1 The mail has several ${name} headers`);
  }
  const domain = envelopeFrom.slice(envelopeFrom.lastIndexOf('@') + 1).toLowerCase();
  const [from] = valuesOf('from');
  if (!from?.value.toLowerCase().includes(`@${domain}`)) {
    throw new MailRefusal(550, '5.7.1 The mail does not come from whom it says it comes from');
  }
  const lines = source.toString('latin1').split('\r\n');
  if (lines.some(line => line.length > MAX_LINE)) throw new MailRefusal(554, '5.6.0 A line is too long');
  if (lines.some(line => /[\r\n]/.test(line))) throw new MailRefusal(554, '5.6.0 A line does not end as it should');
}
