import { isolateDirection } from '../../../lib/words.ts';
import { dialogName, toProminence } from './rules.ts';
import type { Dialog, Prominence } from './schema.ts';

/** The line with Undo, as `_toast.eta` prints it. */
export type ProminenceToast = { words: string; undo: string; fields: { choice: Prominence } };

type DialogSummary = Pick<Dialog, 'id' | 'peerName' | 'peerUsername' | 'peerPhone' | 'isPinned' | 'isMuted'>;

/** The buttons Pin and Mute, as `_choice.eta` prints them; each takes its own choice back when it holds. */
export function presentProminence(dialog: DialogSummary) {
  const { id, isPinned, isMuted } = dialog;
  return { id, isPinned, isMuted, name: dialogName(dialog) };
}

/** The words beside the conversation; empty if it is neither pinned nor muted. */
export const prominenceWords = (dialog: Pick<Dialog, 'isPinned' | 'isMuted'>): string => SENTENCES[toProminence(dialog)];

const SENTENCES: Record<Prominence, string> = {
  pinned: 'Pinned: first on Today, always in full.',
  muted: 'Muted: read, but on Today only under Everything.',
  normal: '',
};

/** Undefined where nothing has changed. */
export function presentToast(dialog: DialogSummary, before: Prominence): ProminenceToast | undefined {
  const now = toProminence(dialog);
  if (now === before) return undefined;
  const lost = before === 'normal' ? '' : `, ${ENDED[before].toLowerCase()}`;
  const words = now === 'normal' ? ENDED[before] : `${CHOSEN[now]}${lost}`;
  const undo = `/conversations/${dialog.id}/prominence`;
  return { words: `${words}: ${isolateDirection(dialogName(dialog))}`, undo, fields: { choice: before } };
}

const CHOSEN = { pinned: 'Pinned', muted: 'Muted' };
const ENDED: Record<Prominence, string> = { pinned: 'Not pinned any more', muted: 'Not muted any more', normal: '' };
