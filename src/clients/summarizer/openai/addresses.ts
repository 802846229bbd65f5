/** Hosts and mail addresses that people in the conversation wrote, in lower case. */
export type Addresses = ReadonlySet<string>;

const MAIL = /[^\s@,;:()]{1,64}@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu;
const HOST = /(?<![\p{L}\p{N}@.-])((?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}{2,})(?![\p{L}\p{N}])((?::\d+)?[/?#]\S*)?/giu;

export function addressesIn(texts: string[]): Addresses {
  const found = texts.flatMap(text => [
    ...(text.match(MAIL) ?? []),
    ...[...text.matchAll(HOST)].map(([, host = '']) => host),
  ]);
  return new Set(found.map(address => address.toLowerCase()));
}

/** An address that no one in the conversation wrote can only mislead; of one that someone wrote, the host is shown. */
export function withoutForeignAddresses(text: string, known: Addresses): string {
  return text
    .replaceAll(MAIL, mail => (known.has(mail.toLowerCase()) ? mail : ''))
    .replaceAll(HOST, (_, host: string, path: string | undefined) => {
      if (known.has(host.toLowerCase())) return host;
      // Two sentences without a space between them look like a host too: then the words must stay.
      return path !== undefined || /^www\./i.test(host) ? '' : host.replaceAll('.', '. ');
    });
}
