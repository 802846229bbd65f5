export {
  countDigestsOfDay,
  countOldDigestsOfAllUsers,
  type DigestDay,
  type DigestDayWithStart,
  deleteDigestsOfAllUsers,
  getDigestDay,
  hasDigests,
  hasWritten,
  listDigestDays,
  listDigestDaysWithStart,
  listJobOutcomes,
  listNewestCoverage,
} from './repo.ts';
