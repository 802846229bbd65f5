import type { SandboxMail } from './inbox.ts';

/** The newest mails come first. @param to shows only mails to this address, all when empty */
export function presentInbox(mails: readonly SandboxMail[], to: string) {
  const wanted = mails.filter(mail => to === '' || mail.to.some(address => address === to.toLowerCase()));
  return {
    to,
    mails: wanted
      .toReversed()
      .map(mail => ({
        href: `/mails/${mail.id}`,
        subject: mail.subject || '(no subject)',
        to: mail.to.map(address => ({ address, href: `/?${new URLSearchParams({ to: address })}` })),
        at: mail.at,
        time: timeOf(mail.at),
      })),
  };
}

export function presentMail(mail: SandboxMail) {
  const headerOf = (name: string) => mail.headers.find(header => header.name.toLowerCase() === name)?.value ?? '';
  return {
    subject: mail.subject || '(no subject)',
    to: mail.to.join(', '),
    from: headerOf('from'),
    at: mail.at,
    time: timeOf(mail.at),
    html: mail.html === '' ? undefined : `/mails/${mail.id}/html`,
    source: `/mails/${mail.id}/source`,
    text: linked(mail.text.trimEnd()),
    headers: mail.headers,
  };
}

function timeOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

const ADDRESS = /(https?:\/\/[^\s<>"]{1,2000}[^\s<>".,;:!?)])/;

/** Splits plain text into pieces; those that are links have an address. */
function linked(text: string): { text: string; href: string | undefined }[] {
  return text.split(ADDRESS).map(piece => ({ text: piece, href: ADDRESS.test(piece) ? piece : undefined }));
}

/** Inside the frame a link would open a page that forbids being framed. */
export function withLinksInNewTabs(html: string): string {
  const base = '<base target="_blank">';
  const head = /<head(\s[^<>]*)?>/i;
  return head.test(html) ? html.replace(head, tag => tag + base) : base + html;
}
