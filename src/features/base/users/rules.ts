/** `s…@example.com`: enough to know one's own address, too little to learn someone else's. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}…${email.slice(at)}`;
}

/** Providers known to treat an address with and without dots as the same inbox. */
const WITHOUT_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** Normalizes addresses of one inbox by dropping the tag after a plus. For counting only, never for sending. */
export function foldAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = '', domain = ''] = [email.slice(0, at), email.slice(at + 1)];
  const untagged = local.replace(/(?<=.)\+.*/s, '');
  return WITHOUT_DOTS.has(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}

type Webmail = { name: string; url: string };

const GMAIL: Webmail = { name: 'Gmail', url: 'https://mail.google.com/mail/u/0/#inbox' };
const OUTLOOK: Webmail = { name: 'Outlook', url: 'https://outlook.live.com/mail/0/inbox' };
const ICLOUD: Webmail = { name: 'iCloud Mail', url: 'https://www.icloud.com/mail' };
const PROTON: Webmail = { name: 'Proton Mail', url: 'https://mail.proton.me/u/0/inbox' };
const YAHOO: Webmail = { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/' };
const GMX: Webmail = { name: 'GMX', url: 'https://www.gmx.net/' };

const BY_DOMAIN: Record<string, Webmail> = {
  'gmail.com': GMAIL,
  'googlemail.com': GMAIL,
  'outlook.com': OUTLOOK,
  'hotmail.com': OUTLOOK,
  'live.com': OUTLOOK,
  'icloud.com': ICLOUD,
  'me.com': ICLOUD,
  'proton.me': PROTON,
  'protonmail.com': PROTON,
  'yahoo.com': YAHOO,
  'gmx.net': GMX,
  'gmx.de': GMX,
};

/** Web address of a mailbox, if its provider is known. */
export function webmailOf(email: string): Webmail | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return Object.hasOwn(BY_DOMAIN, domain) ? BY_DOMAIN[domain] : undefined;
}

/** Lifetime of a link in an email, which may take a while to arrive. */
export const LINK_MINUTES = 30;
/** Lifetime of a link in the terminal, which is used at once. */
export const TERMINAL_LINK_MINUTES = 10;

/** Whether an address may have an account: with an owner, no other may. Both are in lower case. */
export function isAdmitted({ ownerEmail }: { ownerEmail?: string | undefined }, email: string): boolean {
  return ownerEmail === undefined || email === ownerEmail;
}
