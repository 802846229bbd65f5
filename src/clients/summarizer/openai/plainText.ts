import { cleanText, shorten, visibleText, withoutMarkup } from '../cleaning.ts';

/** Hosts and mail addresses that people in the conversation wrote, in lower case. */
export type Addresses = ReadonlySet<string>;

/** Characters; a text of a digest is much shorter, and what is cut off anyway need not be cleaned. */
const LONGEST_READ = 8000;
/** Tags within tags come to light when the inner ones are gone. */
const MARKUP_LAYERS = 4;

const WITH_SCHEME =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:javascript|vbscript|mailto|tel|sms):(?=\S)|data:(?=\w+\/))\S*/giu;
const MAIL = /[^\s@,;:()]{1,64}@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu;
const HOST =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}{2,}(?![\p{L}\p{N}])(?<path>(?::\d+)?[/?#]\S*)?/giu;

export function addressesIn(texts: string[]): Addresses {
  const found = texts.flatMap(text => [
    ...(text.match(MAIL) ?? []),
    ...[...text.matchAll(HOST)].map(([whole, path]) => whole.slice(0, whole.length - (path?.length ?? 0))),
  ]);
  return new Set(found.map(address => address.toLowerCase()));
}

/**
 * What a model wrote as one line of plain text of at most `limit` characters: no markup of any kind, no hidden characters,
 * no secrets, and no address that is not among the known ones.
 */
export function plainText(text: string, limit: number, known: Addresses): string {
  let plain = withoutEntities(visibleText(text.slice(0, LONGEST_READ)));
  for (let layer = 0; layer < MARKUP_LAYERS; layer += 1) plain = withoutMarkup(plain);
  plain = withoutForeignAddresses(withoutMarkdown(plain), known).replaceAll('<', '‹').replaceAll('>', '›');
  return shorten(cleanText(plain).replaceAll(/\s+/g, ' ').trim(), limit);
}

/** Written out as entities, tags would only be plain by the grace of whoever shows them. */
function withoutEntities(text: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' };
  const decoded = text
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => character(Number(code)))
    .replaceAll(/&(lt|gt|quot|apos|nbsp|amp);/gi, (_, name: string) => named[name.toLowerCase()] ?? ' ');
  return visibleText(decoded);
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

/** Images and links leave their words, fences and headings nothing. */
function withoutMarkdown(text: string): string {
  return text
    .replaceAll(/!?\[([^\]\n]{0,300})\]\s?\([^)\n]{0,2000}\)/g, '$1')
    .replaceAll(/!?\[([^\]\n]{0,300})\]\s?\[[^\]\n]{0,100}\]/g, '$1')
    .replaceAll(/`{3,}[a-z]*/gi, ' ')
    .replaceAll(/^\s{0,3}(?:#{1,6}|[-*+]|>+)\s+/gm, '')
    .replaceAll(/(\*\*|__|~~|`)(?=\S)([^\n]{0,500}?\S)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,300})\*(?![\p{L}\p{N}*])/gu, '$1')
    .replaceAll(/`/g, "'");
}

/** A link that nobody in the conversation gave can only mislead; of one that somebody gave, the host is shown. */
function withoutForeignAddresses(text: string, known: Addresses): string {
  return text
    .replaceAll(WITH_SCHEME, link => {
      const host = URL.parse(link)?.hostname.toLowerCase() ?? '';
      return known.has(host) ? host : '';
    })
    .replaceAll(MAIL, mail => (known.has(mail.toLowerCase()) ? mail : ''))
    .replaceAll(HOST, (whole, path: string | undefined) => {
      const host = whole.slice(0, whole.length - (path?.length ?? 0));
      if (known.has(host.toLowerCase())) return host;
      // Two sentences without a space between them look like a host too: then the words must stay.
      return path !== undefined || /^www\./i.test(host) ? '' : host.replaceAll('.', '. ');
    });
}
