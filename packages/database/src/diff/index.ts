export { diffFunctions } from './diff-functions';
export { diffSchema } from './diff-schema';
