export { createOperatorFinder, type Operator } from './authenticate-operator';
export { describeAction } from './describe-action';
export { type ActionFilter, type ActionPage, type LoggedAction, listActions } from './list-actions';
export { describeQueues, type ListedQueues, listQueues, type QueueJobs } from './list-queues';
export {
  createOperator,
  type IssuedOperator,
  listOperators,
  type NewOperator,
  type OperatorSummary,
  revokeOperator,
} from './manage-operators';
export { formatOperatorToken } from './operator-token';
