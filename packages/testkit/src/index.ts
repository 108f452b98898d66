export { createAnswerJudge, type SeenAnswer } from './answers/answer-judge';
export { createAnswerRecord } from './answers/answer-record';
export { askClient } from './ask-client';
export { attemptDelivery, claimDelivery } from './attempt-delivery';
export { BROWSER_ARGUMENTS, findBrowser } from './browser';
export { type Bucket, openBucket } from './bucket';
export { makeOnce } from './make-once';
export { findPooler, keepsNames, openPooler, type Pooler } from './pooler';
export { findFaketime, findProgram } from './programs';
export { findPrometheus, findPromtool } from './prometheus';
export { forAllTests, forEachTest } from './shared-in-tests';
export { canOpenSmallDisk, openSmallDisk, type SmallDisk } from './small-disk';
export { countBlocked, holdTransaction, prismaOf, runSql, withMethods, withoutGuards } from './sql';
export {
  createTestDatabase,
  type OpenTestDatabase,
  openTestDatabase,
  PATIENCE,
  type TestDatabase,
} from './test-database';
export { testRedisUrl, uniquePrefix } from './test-redis';
export { until } from './until';
