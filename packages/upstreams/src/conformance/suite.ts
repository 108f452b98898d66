import type { Adapter } from '../contract';
import type { HttpClient } from '../http-client';
import { Bench, contextOf } from './bench';
import { atChannel, isDiscreet, requires, same, sentAs } from './expectations';
import { API_KEY, type Fixture, named, plainOutcome, promptOf } from './fixtures';
import { networkTrials } from './network-trials';
import { questionTrials } from './question-trials';
import type { Answers, Conformance, Trial, TrialOf } from './trial';

/** Fixtures that every protocol must have. */
const REQUIRED = ['success', 'policy', 'bad-request', 'unauthorized', 'rate-limited', 'quota', 'server-error'];
const REQUIRED_OF_OUTPUTS = ['forbidden'];
const REQUIRED_OF_STREAMS = ['cannot-carry', 'forbidden'];
const REQUIRED_OF_JOBS = [
  'cannot-carry',
  'check-queued',
  'check-running',
  'check-new-word',
  'check-done',
  'check-failed',
  'check-policy',
  'check-refused',
  'check-without-link',
];

const REQUIRED_OF: Readonly<Record<Answers, readonly string[]>> = {
  outputs: REQUIRED_OF_OUTPUTS,
  files: REQUIRED_OF_OUTPUTS,
  jobs: REQUIRED_OF_JOBS,
  streams: REQUIRED_OF_STREAMS,
};

/** Proves an adapter against its fixtures and against everything that a network can do to a start or a question. */
export function conformanceTrials(
  create: (http: HttpClient) => Adapter,
  all: Fixture[],
  conformance: Conformance,
): Trial[] {
  const { basePath, answers = 'outputs', vendorWords, only } = conformance;
  const success = named(all, only ?? 'success');
  const fixtures = only === undefined ? all : [success];
  const trials = [
    ...under('fixtures', fixtureTrials(fixtures, conformance)),
    ...under('on a bad network', networkTrials(conformance)),
    ...(answers === 'jobs'
      ? under('asked about a job', questionTrials(named(fixtures, 'check-done'), vendorWords))
      : []),
    OPTIONS,
  ];
  return trials.map(({ name, run }) => ({
    name,
    async run() {
      const bench = new Bench(create, { success, basePath });
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    },
  }));
}

function under(title: string, trials: readonly TrialOf[]): TrialOf[] {
  return trials.map((trial) => ({ ...trial, name: `${title}: ${trial.name}` }));
}

function fixtureTrials(fixtures: readonly Fixture[], conformance: Conformance): TrialOf[] {
  const { answers = 'outputs', requires: more = [], only } = conformance;
  const wanted = only === undefined ? [...REQUIRED, ...REQUIRED_OF[answers], ...more] : [only];
  const missing = wanted.filter((name) => !fixtures.some((fixture) => fixture.name === name));
  return [
    {
      name: 'cover what every protocol must show',
      run: () => requires(missing.length === 0, `there is no fixture ${missing.join(', ')}`),
    },
    ...fixtures.map(
      (fixture): TrialOf => ({
        name: `${fixture.name}: ${fixture.about}`,
        run: (bench) => replay(bench, fixture, conformance),
      }),
    ),
  ];
}

async function replay(bench: Bench, fixture: Fixture, { basePath, vendorWords }: Conformance): Promise<void> {
  const outcome = await bench.play(fixture);
  const { origin, received } = bench.server;
  same(atChannel(await plainOutcome(outcome), origin), fixture.outcome, 'the outcome');
  if (outcome.kind === 'done' && outcome.outputs.some(({ needsKey }) => needsKey === true)) {
    const shown = await bench.adapter().credentials?.show(contextOf(fixture, origin + basePath));
    requires(JSON.stringify(shown ?? {}).includes(API_KEY), 'an output needs the key, and credentials do not show it');
  }
  isDiscreet(outcome, promptOf(fixture, bench.success), vendorWords);
  await sentAs(fixture, received);
}

const OPTIONS: TrialOf = {
  name: 'an option that it does not know is named, and none is fine',
  run(bench) {
    const faultOf = (options: Parameters<NonNullable<Adapter['checkOptions']>>[0]) =>
      JSON.stringify(bench.adapter().checkOptions?.(options) ?? '');
    requires(faultOf({ no_such_option: true }).includes('no_such_option'), 'checkOptions takes no_such_option');
    requires(faultOf({ timeout_seconds: 0 }).includes('timeout_seconds'), 'checkOptions takes timeout_seconds: 0');
    same(faultOf({ timeout_seconds: 60 }), '""', 'what checkOptions says of timeout_seconds: 60');
    same(faultOf({}), '""', 'what checkOptions says of no options');
  },
};
