export {
  accountIdOf,
  type FillOptions,
  fillLists,
  keyIdOf,
  type ListRows,
  mediaIdOf,
  msOf,
  type Owner,
  requestIdOf,
  taskIdOf,
} from './list-rows';
