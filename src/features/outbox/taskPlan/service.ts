export { dropOfPromises } from './repo.ts';
