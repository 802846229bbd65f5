export { findAddress, findToldUntil, reserveMailsOfAllUsers } from './repo.ts';
