import { createAdapters } from '../src';
import { conformanceTrials } from '../src/conformance/suite';
import type { Conformance } from '../src/conformance/trial';
import { readFixtures } from './fixtures';

/** The suite of a protocol of this package, as tests. */
export function describeAdapterConformance({ protocol, ...conformance }: Conformance & { protocol: string }): void {
  const trials = conformanceTrials(
    (http) => {
      const found = createAdapters({ http }).get(protocol);
      if (!found) throw new Error(`no adapter ${protocol}`);
      return found;
    },
    readFixtures(protocol),
    conformance,
  );
  describe(protocol, () => {
    it.each(trials.map(({ name, run }) => [name, run] as const))('%s', (_, run) => run());
  });
}
