export { dropOfDigests } from './repo.ts';
