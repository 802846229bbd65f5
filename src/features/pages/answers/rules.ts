import { createHash } from 'node:crypto';
import type { AiService } from '../../messenger/consent/schema.ts';
import type { OwnPassage } from '../../messenger/consent/service.ts';

/** Days that sentences are kept. */
export const KEPT_DAYS = 7;

/** Another one as soon as the question, the model or anything in a passage is another. */
export function hashOf(question: string | undefined, passages: readonly OwnPassage[], service: AiService): string {
  const { model, host } = service;
  return createHash('sha256')
    .update(JSON.stringify([model, host, question ?? null, passages]))
    .digest('hex');
}
