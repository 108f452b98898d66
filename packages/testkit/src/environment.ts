/** How a test run tells its test files where its servers are: through the environment, which Jest hands to its workers. */
export const TEST_ENVIRONMENT = {
  /** Answers with the address of PostgreSQL and of the template, starting it on the first question. */
  keeperUrl: 'MEDIAGATE_TEST_KEEPER_URL',
  redisUrl: 'MEDIAGATE_TEST_REDIS_URL',
} as const;

/** The answer of the keeper's one question. */
export interface PostgresAnswer {
  /** URL of a user that may create databases. */
  adminUrl: string;
  /** A migrated database that nobody is connected to. */
  template: string;
}

export function fromEnvironment(name: keyof typeof TEST_ENVIRONMENT): string {
  const value = process.env[TEST_ENVIRONMENT[name]];
  if (value === undefined) throw new Error('No test servers: run the tests through Jest, which starts them.');
  return value;
}

/** The first of these variables that has a value: an empty one counts as absent. */
export function firstGiven(...names: string[]): string | undefined {
  return names.map((name) => process.env[name]).find((value) => value !== undefined && value !== '');
}
