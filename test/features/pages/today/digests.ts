import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { type Digest, EMPTY_CONTENT, NO_SOURCES } from '../../../../src/features/digests/schema.ts';

type Details = Partial<Omit<Digest, 'dialog' | 'structured'>> & {
  name?: string;
  dialog?: Partial<Digest['dialog']>;
  structured?: Partial<Digest['structured']>;
};

let made = 0;

/** A finished digest of 20 November in which nothing is urgent and nothing is owed, but for what is said. */
export function digest({ name = 'Ada', dialog, structured, ...details }: Details = {}): Digest {
  made += 1;
  return {
    id: `digest-${made}`,
    dialogId: `dialog-${made}`,
    digestDate: '2026-11-20',
    messageCount: 12,
    writingState: 'COMPLETE',
    status: 'COMPLETE',
    summary: `${name} wrote.`,
    isWritten: true,
    structured: { ...EMPTY_CONTENT, urgency: 'low', ...structured },
    isExcerpt: false,
    engine: 'built-in',
    reason: null,
    firstMessageAt: null,
    lastMessageAt: new Date('2026-11-20T08:00:00Z'),
    sources: NO_SOURCES,
    isCovered: false,
    ticked: new Set(),
    dialog: {
      peerName: name,
      peerUsername: '',
      peerPhone: '',
      peerType: 'user',
      isPinned: false,
      isMuted: false,
      ...dialog,
    },
    ...details,
  };
}

export function item(details: Partial<ActionItem> = {}): ActionItem {
  made += 1;
  const plain = { text: 'Send it', ownerName: null, dueDate: null, dueText: null, sourceMessageIds: [] };
  return { id: `item-${made}`, owner: 'user', ...plain, ...details };
}

export const urgent = { urgency: 'high' } as const;
export const owes = { actionItems: [item()] };
