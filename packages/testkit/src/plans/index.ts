export { explain } from './explain';
export { nodesOf, type PlanNode, pagesRead, placesOf, rowsRead, scannedWhole } from './plan-node';
