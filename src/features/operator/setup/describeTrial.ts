import type { ActionItem } from '../../../clients/summarizer/types.ts';
import type { Timed, Work } from './createModelWork.ts';
import { secondsWords } from './secondsWords.ts';

type Tried = Extract<Work, { state: 'tried' }>;

/** A digest with what it asks for. */
type ShownDigest = { seconds: string; summary: string; items: { who: string; text: string; due: string }[] };

export type ShownTrial = { model: string; host: string; builtIn: ShownDigest; written: ShownDigest };

/** Two digests of the same conversation. */
export function describeTrial({ service, model, builtIn }: Tried): ShownTrial {
  return {
    ...{ model: service.model, host: new URL(service.apiUrl).host },
    builtIn: describeDigest(builtIn),
    written: describeDigest(model),
  };
}

function describeDigest({ summary, seconds }: Timed): ShownDigest {
  return {
    seconds: secondsWords(seconds),
    summary: summary.summary,
    items: summary.structured.actionItems.map(item => ({
      ...{ who: whoOf(item), text: item.text, due: item.dueText ?? '' },
    })),
  };
}

function whoOf({ owner, ownerName, kind }: ActionItem): string {
  if (kind === 'appointment') return 'Appointment';
  if (kind === 'deadline') return 'Deadline';
  return owner === 'user' ? 'You' : (ownerName ?? 'No one named');
}
