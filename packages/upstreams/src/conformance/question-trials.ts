import type { CheckOutcome, FaultCode, JsonObject } from '@mediagate/contracts';
import { type Bench, check, contextOf } from './bench';
import { hasSoundOutputs, isDiscreet, refusedAs, requires } from './expectations';
import type { Fixture } from './fixtures';
import { mutations } from './mutations';
import { LEAST_MUTATIONS } from './network-trials';
import { type Replay, replyWith } from './replay-server';
import * as replies from './replies';
import type { TrialOf } from './trial';

/** Faults that end an accepted job; only the vendor's word about the job itself may give one. */
const FINAL: readonly FaultCode[] = ['bad_request', 'content_policy', 'generation_failed'];

const HAZARDS: readonly [string, Replay][] = [
  ['malformed JSON under 200', replies.malformed],
  ['JSON that is no object under 200', replies.noObject],
  ['an empty object under 200', (response) => replyWith(response, 200, {}, '{}')],
  ['a body cut short under 200', replies.truncate],
  ['a reset after the request was read', replies.reset],
  ['HTML of a gateway under 400', replies.page(400)],
  ['HTML of a gateway under 404', replies.page(404)],
  ['HTML of a gateway under 413', replies.page(413)],
  ['a 500 without a body', replies.bare500],
  ['HTML of a gateway under 503', replies.page(503)],
  ['a redirect, which is not followed', replies.redirect],
];

/** Everything that a network can do to a question about a job that is done. */
export function questionTrials(done: Fixture, vendorWords: RegExp): TrialOf[] {
  const hazards: readonly [string, Replay][] = [
    ...HAZARDS,
    ['an answer nested 100,000 levels deep', replies.nested(done)],
  ];
  return [
    ...hazards.map(
      ([name, replay]): TrialOf => ({
        name: `${name} does not end the job`,
        run: async (bench) => goesOn(await bench.ask(done, replay), vendorWords),
      }),
    ),
    {
      name: 'an answer over the byte limit is not read on, and does not end the job',
      async run(bench) {
        const outcome = await bench.ask(done, (response, index) => replies.replyAs(done, response, index), 8);
        await refusedAs(outcome, 'outcome_unknown');
      },
    },
    {
      name: 'whatever type a field of the answer has, the job is not ended and no link is made up',
      run: (bench) => survivesMutations(bench, done),
    },
  ];
}

function goesOn(outcome: CheckOutcome, vendorWords: RegExp): void {
  requires(outcome.kind === 'refused', `an answer was read: ${outcome.kind}`);
  requires(!FINAL.includes(outcome.fault.code), `${outcome.fault.code} ends the job`);
  isDiscreet(outcome, '', vendorWords);
}

async function survivesMutations(bench: Bench, done: Fixture): Promise<void> {
  const bodies = mutations(done.replies[0]?.body ?? {});
  requires(bodies.length > LEAST_MUTATIONS, 'the answer of the fixture check-done has too few fields');
  let current: JsonObject = {};
  const baseUrl = await bench.listen((response) => {
    const path = bench.server.received.at(-1)?.path;
    const index = done.wire?.findIndex((sent) => sent.path === path) ?? 0;
    if (index <= 0) replyWith(response, 200, {}, current);
    else replies.replyAs(done, response, index);
  });
  const subject = bench.adapter();
  for (const body of bodies) {
    current = body;
    const outcome = await check(subject, done, contextOf(done, baseUrl));
    const isEnded = outcome.kind === 'refused' && FINAL.includes(outcome.fault.code);
    const isUnsound = outcome.kind === 'done' && !hasSoundOutputs(outcome);
    requires(!isEnded && !isUnsound, `${JSON.stringify(body)} became ${JSON.stringify(outcome)}`);
  }
}
