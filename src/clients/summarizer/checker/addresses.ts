import { isTitleWord } from '../names.ts';

/** Hosts, numeric addresses, mail addresses and handles that people in the conversation wrote, in lower case. */
export type Addresses = ReadonlySet<string>;

/** Placeholder for an address that is in no message of the conversation. */
export const REMOVED = '\uFFFC';

/** Tries every length at every place, so it is for texts with an "@" only. */
const MAIL = /[^\s@,;:()]{1,64}@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu;
const HOST = /(?<![\p{L}\p{N}@.-])((?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}{2,})(?![\p{L}\p{N}])((?::\d+)?[/?#]\S*)?/giu;
const NUMERIC =
  /(?<![\p{N}.:])((?:\p{N}{1,3}\.){3}\p{N}{1,3}|\[?(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}\]?)(?!\p{N}|[.:]\p{N})((?::\d+)?\/\S*)?/giu;
const HANDLE = /(?<![\p{L}\p{N}@＠.])[@＠﹫]([\p{L}\p{N}_]{2,64})/gu;

/** Ending of a host. Two sentences without a space between them have a capital letter or another script there instead. */
const END_OF_HOST = /\.(?:[a-z]{2,24}|[A-Z]{2,24}|рф|укр|бел|срб|ελ)$/u;

/** "evil[.]com", "evil (dot) com", "evil dot com", "evil。com": dots that only a reader takes for dots. */
const BRACKETED_DOT = /(?<=[\p{L}\p{N}]) ?[[({<|] ?(?:\.|dot|punkt|punto|point|точка) ?[\])}>|] ?(?=[\p{L}\p{N}])/giu;
const SPELLED_DOT =
  /(?<=[\p{Script=Latin}\p{Nd}])(?: dot (?=[a-z]{2,24}(?![a-z]))| ?(?:[。．｡․‧·•﹒∙・]|\\\.) ?(?=[\p{Script=Latin}\p{Nd}])| \. ?(?=[a-z\d]))/giu;

/** "evil point fr", "evil. com": behind a word for a dot, or a space too many, only before how hosts mostly end. */
const DOT_BEFORE_END =
  /(?<=[\p{L}\p{N}])(?: (?:dot|point|punkt|punto|ponto|kropka|nokta|точка|крапка) | ?\. )(?=(?:com|net|org|info|io|app|xyz|link|site|online|ru|fr|pl|uk|ua|br|tr|рф|укр|ком)(?![\p{L}\p{N}-]))/gu;

function withPlainDots(text: string): string {
  return text.replaceAll(BRACKETED_DOT, '.').replaceAll(SPELLED_DOT, '.').replaceAll(DOT_BEFORE_END, '.');
}

export function findAddresses(texts: string[]): Addresses {
  const found = texts
    .map(withPlainDots)
    .flatMap(text => [
      ...((text.includes('@') && text.match(MAIL)) || []),
      ...[...text.matchAll(HOST), ...text.matchAll(NUMERIC)].map(([, host = '']) => host),
      ...[...text.matchAll(HANDLE)].map(([, name = '']) => toHandle(name)),
    ]);
  return new Set(found.map(address => address.toLowerCase()));
}

/** Replaces addresses that are in no message, in any notation, by {@link REMOVED}: they would only mislead. */
export function withoutForeignAddresses(text: string, known: Addresses): string {
  const plain = withPlainDots(text);
  const without = withoutForeign(plain, known);
  return without.includes(REMOVED) || plain === text ? without : withoutForeign(text, known);
}

function withoutForeign(text: string, known: Addresses): string {
  const withoutMails = (mails: string) => mails.replaceAll(MAIL, mail => (known.has(mail.toLowerCase()) ? mail : REMOVED));
  return (text.includes('@') ? withoutMails(text) : text)
    .replaceAll(NUMERIC, (_, host: string) => (known.has(host.toLowerCase()) ? host : REMOVED))
    .replaceAll(HANDLE, (handle, name: string) => (known.has(toHandle(name)) ? handle : REMOVED))
    .replaceAll(HOST, (_, host: string, path: string | undefined) => {
      if (known.has(host.toLowerCase()) || isTitleWord(host)) return host;
      // Two sentences without a space between them look like a host too: then the words must stay.
      return path !== undefined || END_OF_HOST.test(host.normalize('NFKC')) ? REMOVED : host.replaceAll('.', '. ');
    });
}

const toHandle = (name: string): string => `@${name.toLowerCase()}`;
