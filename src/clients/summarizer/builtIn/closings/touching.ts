import type { Turn } from '../reading.ts';
import type { Attachment } from './handed.ts';
import { mentionsKind } from './known.ts';
import { beside, matchOfFile } from './match.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';

/** Notes whether a message is about a promise: only such a message is a reason to ask whether it is settled. */
export function touch(tracks: Tracks, track: Track, attachments: Attachment[], turn: Turn): void {
  if (turn.utterance.forwarded) return;
  const { clauses } = tracks;
  const isNews = attachments.length > 0 || clauses.some(({ isQuestion }) => !isQuestion);
  if (isAbout(tracks, track, attachments, turn) || answersWhatIs(tracks, track, turn)) track.touch(turn, isNews);
}

/** It replies to what was promised or asked for, names it, does the same deed, or brings a file that is called like it. */
function isAbout(tracks: Tracks, track: Track, attachments: Attachment[], turn: Turn): boolean {
  const { known } = track;
  const isNamed = tracks.clauses.some(clause =>
    tracks.about(clause).some(({ track: other, match }) => other === track && !match.contradicts),
  );
  const isDecided = track.decidedAt === turn.index;
  const isFile = attachments.some(({ name, kind }) => {
    const match = matchOfFile(known, name);
    return match ? !match.contradicts : isDecided && mentionsKind(known, kind);
  });
  // Anything may have been sent.
  const isDeed = tracks.clauses.some(({ deeds }) => [...deeds].some(kind => kind !== 'sends' && known.deeds.has(kind)));
  return track.isRepliedTo(turn) || isNamed || isFile || (isDecided && isDeed);
}

/** "And the contract?" – "Done": words that name nothing else, right after those that name it. */
function answersWhatIs({ clauses }: Tracks, track: Track, turn: Turn): boolean {
  const isBare = clauses.every(clause => beside(track.known, clause).length === 0);
  return track.decidedAt === turn.index && isBare && track.wasTouchedBefore(turn);
}
