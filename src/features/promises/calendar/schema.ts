import { z } from 'zod';
import { rowReader } from '../../../lib/rows.ts';

const feed = z.object({
  userId: z.string(),
  /** How its address begins. */
  hint: z.string(),
  createdAt: z.date(),
  /** To the minute; null before it was read. */
  lastReadAt: z.date().nullable(),
});
export const feedRow = rowReader(feed);
export type Feed = z.output<typeof feed>;

/** The owner of a feed. */
const ownedFeed = feed.extend({ email: z.string() });
export const ownedFeedRow = rowReader(ownedFeed);
export type OwnedFeed = z.output<typeof ownedFeed>;
