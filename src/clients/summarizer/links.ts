import { maskSecrets } from './masking/maskSecrets.ts';

const MAX_LINKS = 10;
const MAX_LINK_LENGTH = 300;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`“”«»{}|\\^]+/giu;
/** Addresses that open something other than a page. */
const OTHER_SCHEMES =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z\d+.-]{1,20}:\/\/|(?:javascript|vbscript|mailto|tel|sms):(?=\S)|data:(?=\w+\/))\S*/giu;
/** The http(s) links of the texts, each once, without those that hold a key or a password. */
export function findLinks(texts: string[]): string[] {
  const found = texts.flatMap(text => (text.match(ADDRESS) ?? []).map(withoutTrailingMarks));
  return [...new Set(found.filter(isSafeLink))].slice(0, MAX_LINKS);
}

function withoutTrailingMarks(link: string): string {
  const bare = link.replace(/(?<![.,;:!?…*_~])[.,;:!?…*_~]+$/u, '');
  return bare.endsWith(')') && !bare.includes('(') ? bare.slice(0, -1) : bare;
}

function isSafeLink(link: string): boolean {
  if (link.length > MAX_LINK_LENGTH || maskSecrets(link) !== link) return false;
  const url = URL.parse(link);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}

/**
 * Replaces links in running text with their host: the whole address is among the links. Drops those whose host `keeps`
 * doesn't know, and addresses of anything other than pages, and puts `instead` in their place.
 */
export function shortenLinksToHosts(text: string, keeps: (host: string) => boolean = () => true, instead = ''): string {
  if (!text.includes(':')) return text;
  const asHost = (found: string) => {
    const link = withoutTrailingMarks(found);
    const host = URL.parse(link)?.hostname ?? '';
    return `${keeps(host) ? host : instead}${found.slice(link.length)}`;
  };
  return text.replaceAll(ADDRESS, asHost).replaceAll(OTHER_SCHEMES, instead);
}
