import type { FaultCode, JsonObject } from '@mediagate/contracts';
import { type Bench, contextOf } from './bench';
import { isDiscreet, isSound, refusedAs, refusedBare, requires, same } from './expectations';
import { promptOf, startRequest } from './fixtures';
import { mutations } from './mutations';
import { closedOrigin, type Replay, replyWith } from './replay-server';
import * as replies from './replies';
import type { Conformance, TrialOf } from './trial';

/** Each field of an answer becomes something else a dozen times: an answer of one field already has more than this. */
export const LEAST_MUTATIONS = 10;

const HAZARDS: readonly [string, Replay, FaultCode][] = [
  ['malformed JSON under 200', replies.malformed, 'outcome_unknown'],
  ['JSON that is no object under 200', replies.noObject, 'outcome_unknown'],
  ['nothing under 200', replies.empty, 'outcome_unknown'],
  ['HTML under 200', replies.page(200, '<html>sign in</html>'), 'outcome_unknown'],
  ['a body cut short under 200', replies.truncate, 'outcome_unknown'],
  ['a reset after the request was read', replies.reset, 'outcome_unknown'],
  ['HTML of a gateway under 502', replies.page(502), 'outcome_unknown'],
  ['HTML of a gateway under 504', replies.page(504), 'outcome_unknown'],
  ['HTML of a gateway under 503', replies.page(503), 'not_accepted'],
  ['HTML of a gateway under 413', replies.page(413), 'bad_request'],
  ['a 500 without a body', replies.bare500, 'upstream_fault'],
  ['a redirect, which is not followed', replies.redirect, 'operator'],
];

/** Everything that a network can do to a start. */
export function networkTrials(conformance: Conformance): TrialOf[] {
  const { answers = 'outputs' } = conformance;
  const nested: TrialOf = {
    name: 'an answer nested 100,000 levels deep',
    run: (bench) => survives(bench, conformance, { replay: replies.nested(bench.success), code: 'outcome_unknown' }),
  };
  const hazards = HAZARDS.map(
    ([name, replay, code]): TrialOf => ({ name, run: (bench) => survives(bench, conformance, { replay, code }) }),
  );
  return [nested, ...hazards, ...CONNECTIONS, ...ofAnswers(answers)];
}

/** A stream that is passed on as it comes has no bytes that are held and no shape; the time of each other call is that of the protocol's options. */
function ofAnswers(answers: Conformance['answers']): TrialOf[] {
  if (answers === 'streams') return [];
  const bounded: TrialOf = {
    name: 'an answer over the byte limit is not read on',
    run: async (bench) => refusedAs(await bench.start(successReply(bench), {}, 16), 'outcome_unknown'),
  };
  return answers === 'files' ? [bounded, DRIP] : [bounded, mutated(answers ?? 'outputs')];
}

async function survives(
  bench: Bench,
  { basePath, vendorWords }: Conformance,
  { replay, code }: { replay: Replay; code: FaultCode },
): Promise<void> {
  const outcome = await bench.start(replay);
  await refusedAs(outcome, code);
  const isBelow = bench.server.received.every(({ path }) => path.startsWith(basePath));
  requires(isBelow, `a request left ${basePath}`);
  isDiscreet(outcome, promptOf(bench.success, bench.success), vendorWords);
}

const CONNECTIONS: readonly TrialOf[] = [
  {
    name: 'a refused connection was not accepted',
    async run(bench) {
      const { success } = bench;
      const context = contextOf(success, await closedOrigin());
      await refusedBare(await bench.adapter().start(startRequest(success, success), context), 'not_accepted');
    },
  },
  {
    name: 'a TLS handshake that fails was not accepted, and nothing was sent',
    async run(bench) {
      const { success } = bench;
      const baseUrl = (await bench.listen(successReply(bench))).replace('http:', 'https:');
      const outcome = await bench.adapter().start(startRequest(success, success), contextOf(success, baseUrl));
      await refusedBare(outcome, 'not_accepted');
      same(bench.server.received, [], 'what was sent');
    },
  },
  {
    name: 'a start that its caller aborts while the vendor works has an unknown outcome, at once',
    async run(bench) {
      const { success } = bench;
      const abort = new AbortController();
      const context = { ...contextOf(success, await bench.listen(() => undefined)), signal: abort.signal };
      const started = bench.adapter().start(startRequest(success, success), context);
      await Promise.race([bench.server.waitFor(1), started]);
      abort.abort();
      await refusedBare(await started, 'outcome_unknown');
    },
  },
  {
    name: 'a start aborted beforehand sends nothing',
    async run(bench) {
      const { success } = bench;
      const context = { ...contextOf(success, await bench.listen(successReply(bench))), signal: AbortSignal.abort() };
      await refusedBare(await bench.adapter().start(startRequest(success, success), context), 'not_accepted');
      same(bench.server.connections(), 0, 'the number of connections');
    },
  },
];

const DRIP: TrialOf = {
  name: 'an answer that drips is cut at the total deadline',
  run: async (bench) => refusedBare(await bench.start(replies.drip, { timeout_seconds: 1 }), 'outcome_unknown'),
};

function mutated(answers: NonNullable<Conformance['answers']>): TrialOf {
  return {
    name: 'never throws and never makes up numbers, whatever type a field of the answer has',
    async run(bench) {
      const { success } = bench;
      const bodies = mutations(success.replies[0]?.body ?? {});
      requires(bodies.length > LEAST_MUTATIONS, 'the answer of the fixture success has too few fields');
      let current: JsonObject = {};
      const baseUrl = await bench.listen((response, index) => successReply(bench, current)(response, index));
      const context = contextOf(success, baseUrl);
      const subject = bench.adapter();
      for (const body of bodies) {
        current = body;
        const outcome = await subject.start(startRequest(success, success), context);
        requires(isSound(outcome, answers), `${JSON.stringify(body)} became ${JSON.stringify(outcome)}`);
      }
    },
  };
}

/** @param body in place of the fixture's */
function successReply({ success }: Bench, body?: JsonObject): Replay {
  return (response, index) => {
    const reply = success.replies[index];
    if (reply === undefined) replyWith(response, 200, {}, body);
    else replyWith(response, reply.status, reply.headers, body ?? replies.bodyOf(reply));
  };
}
