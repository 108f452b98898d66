import { listOperations, type ServedOperation } from '@mediagate/api-contract';
import { catalogue, LEGACY_PREFIX } from './known-api';

/** Everything that the API serves, as callers and operators know it. */
export const OPERATIONS = listOperations(catalogue.entries, { legacyPrefix: LEGACY_PREFIX });

/** Rows of a table of tests, by method and path. */
export const named = (operations: readonly ServedOperation[]) =>
  operations.map((operation) => [`${operation.method.toUpperCase()} ${operation.path}`, operation] as const);

/** The first of the routes that each handler serves. */
export const oneOfEach = (operations: readonly ServedOperation[]) =>
  operations.filter(({ entry }, index) => operations.findIndex((each) => each.entry === entry) === index);
