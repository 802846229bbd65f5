export { listRewrites } from './repo.ts';
