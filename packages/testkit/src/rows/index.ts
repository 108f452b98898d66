export {
  accountIdOf,
  type FillOptions,
  fillLists,
  keyIdOf,
  type ListRows,
  mediaIdOf,
  msOf,
  requestIdOf,
  taskIdOf,
} from './list-rows';
