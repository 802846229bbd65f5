export {
  applyClosings,
  closeLeftOut,
  listItemsLeftOpen,
  listOpenPromises,
  lockPromisesOf,
  recordPromises,
} from './repo.ts';
