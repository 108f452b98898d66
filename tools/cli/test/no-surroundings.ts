import type { Surroundings } from '../src/session';

/** Surroundings of a command line that prints nothing, reads nothing and has no settings. */
export const NO_SURROUNDINGS: Surroundings = {
  env: {},
  stdout: () => undefined,
  stderr: () => undefined,
  stdin: async () => '',
  userName: 'ada',
};
