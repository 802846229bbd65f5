import type { Digest } from './schema.ts';

type Named = Pick<Digest['dialog'], 'peerName' | 'peerUsername' | 'peerPhone'>;

/** What the conversation of a digest is called. */
export function nameOf({ dialog }: { dialog: Named }): string {
  return dialog.peerName || dialog.peerUsername || dialog.peerPhone || 'Without a name';
}
