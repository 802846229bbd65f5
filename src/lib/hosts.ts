import { BlockList } from 'node:net';

/** Private ranges: RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291. */
const PRIVATE_ADDRESSES = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE_ADDRESSES.addSubnet(network, prefix, 'ipv4');
}
PRIVATE_ADDRESSES.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_ADDRESSES.addSubnet('fe80::', 10, 'ipv6');

/** Names that no public server has: RFC 6762, RFC 8375, and what ICANN keeps for private use. */
const PRIVATE_NAME = /(^[^.]+|\.(local|internal|lan|home\.arpa))$/;

/**
 * Whether this is the machine itself: localhost, a name below it (RFC 6761), 127.0.0.0/8 or [::1].
 * @param hostname as `URL` writes it: lower case, IPv6 in brackets
 */
export function isLoopback(hostname: string): boolean {
  return /^(([^.]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether the host can't be on the internet: the machine itself, a private network, or a name without a dot. */
export function isPrivate(hostname: string): boolean {
  if (isLoopback(hostname)) return true;
  if (hostname.startsWith('[')) return PRIVATE_ADDRESSES.check(hostname.slice(1, -1), 'ipv6');
  return /^[\d.]+$/.test(hostname) ? PRIVATE_ADDRESSES.check(hostname, 'ipv4') : PRIVATE_NAME.test(hostname);
}

/** The name in a `Host` header, as `URL` writes it. Undefined for anything but a name with or without a port. */
export function hostnameOf(header: string | undefined): string | undefined {
  if (header === undefined || !/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(header)) return undefined;
  return URL.parse(`http://${header}`)?.hostname;
}
